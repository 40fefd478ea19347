import { describe, expect, test } from "vitest";
import { type Language, languageOf } from "./language.ts";
import { languages } from "./languages.ts";
import { lineAt, occurrencesOf, outlineOf, regionOf } from "./region.ts";
import { ownerOf } from "./scopes.ts";

function language(path: string): Language {
  const found = languageOf(path, languages);
  if (found === undefined) throw new Error(`No language for ${path}.`);
  return found;
}

/** `line role kind of Owner in around`, one line for each place. */
function roles(path: string, text: string, name = "target"): string[] {
  const region = regionOf(text.split("\n"), language(path), { firstLine: 1 });
  return occurrencesOf(region, name).map(({ line, role, construct, inside }) => {
    const owner = construct && ownerOf(region.scopes ?? [], construct);
    const kind = construct === undefined ? "" : ` ${construct.kind}${owner ? ` of ${owner}` : ""}`;
    const around = inside === undefined || construct !== undefined ? "" : ` in ${inside.name || inside.owner}`;
    return `${line} ${role}${kind}${around}`;
  });
}

describe("JavaScript and TypeScript", () => {
  test("functions, overloads, calls, callbacks, imports, comments and strings", () => {
    const text = `import { target } from "./target.ts";
import {
  target as other,
} from "./b.ts";
export { target } from "./target.ts";
const { target } = require("./target");
declare function target(a: string): void;
export function target(a: string): void;
export async function target(
  a: { x: string },
): Promise<{ y: string }> {
  // target in a comment
  return target(a) /* target */ + "target" + \`target \${target(1)} target\`;
}
/** target
 * target
 */
list.map(target);
const again = async () => {
  await target?.();
  new target();
};
const pattern = /target\\/"/; target();`;
    expect(roles("a.ts", text)).toEqual([
      "1 import",
      "1 import",
      "3 import",
      "5 re-export",
      "5 re-export",
      "6 import",
      "6 import",
      "7 declaration function",
      "8 declaration function",
      "9 definition function",
      "12 comment in target",
      "13 call in target",
      "13 comment in target",
      "13 string in target",
      "13 string in target",
      "13 call in target",
      "13 string in target",
      "15 comment",
      "16 comment",
      "18 mention",
      "20 call in again",
      "21 call in again",
      "23 string",
      "23 call",
    ]);
  });

  test("classes, members, types and decorators", () => {
    const text = `@target
export class Box<T> extends Base<{ a: 1 }> {
  private readonly target: Map<string, () => void> = new Map();
  static async target<U>(a: U): Promise<void> {
    this.target(a);
  }
  get target(): number { return 1; }
  run = async (a: string) => { target(a); };
  abstract target(): void;
}
interface Shape { target(a: string): void; }
interface Other {
  readonly target?: string;
  target(a: string): void;
}
type target<T> = { target: string } | T;
enum Colour { target = 1, other }
namespace target { export const a = 1; }
const box = {
  target: 1,
  target(a) { return a; },
  run: () => target,
};
box.target = () => 1;
exports.target = 2;
const view = <target size={1}>text</target>;
let x: Array<target> = [];`;
    expect(roles("a.tsx", text)).toEqual([
      "1 call",
      "3 definition field of Box",
      "4 definition method of Box",
      "5 call in target",
      "7 definition method of Box",
      "8 call in run",
      "9 declaration method of Box",
      "11 declaration method of Shape",
      "13 definition member of Other",
      "14 declaration method of Other",
      "16 definition type",
      "16 definition member of target",
      "17 definition enum member of Colour",
      "18 definition namespace",
      "20 entry object member",
      "21 definition method",
      "22 mention in run",
      "24 definition method",
      "25 definition export",
      "26 call",
      "26 mention",
      "27 mention",
    ]);
  });

  test("what only looks like code of the kind", () => {
    const text = `if (target(1)) {
}
target(1)
if (a) {
}
for (const target of list) {
  return target (1);
}
function run() {
  const target = 1;
  const target = () => 1;
  const { target, b } = a;
}
const s = 'it\\'s target'; // don't
const t = "target`;
    expect(roles("a.js", text)).toEqual([
      "1 call",
      "3 call",
      "6 definition variable",
      "7 call",
      "10 local local variable",
      "11 definition function",
      "12 assigned variable",
      "14 string",
      "15 string",
    ]);
  });
});

test("Python: nested functions, classes, attributes, imports and strings over lines", () => {
  const text = `from a import (
    target,
)
import b as target
target: int = 1
@target.x
class Box(target):
    """target
    target
    """
    target = 1
    other: target = f"target {target(1)} {{target}}"

    @property
    async def target(
        self,
        a=target,
    ) -> int:
        def inner():
            # target
            return target(a)
        self.target = inner
        target = 3
        return r"\\\\" + 'target' + target
call(
    target=1,
)
print(target)`;
  expect(roles("a.py", text)).toEqual([
    "2 import",
    "4 import",
    "5 definition variable",
    "6 call",
    "7 mention in Box",
    "8 string in Box",
    "9 string in Box",
    "11 definition variable of Box",
    "12 mention in Box",
    "12 string in Box",
    "12 call in Box",
    "12 string in Box",
    "15 definition method of Box",
    "17 mention in target",
    "20 comment in inner",
    "21 call in inner",
    "22 assigned attribute of Box",
    "23 local local variable of Box",
    "24 string in target",
    "24 mention in target",
    "26 mention",
    "28 mention",
  ]);
});

test("Go: receivers, groups, structs, interfaces and raw strings", () => {
  const text = `package target
import (
	target "example.com/target"
)
// target
type Box struct {
	target int
	other  target
}
type Shape interface {
	target(a int) error
}
const (
	first = iota
	target
)
func (b *Box) target(a int) (int, error) {
	target := 1
	return b.target(a), \`target
target\`
}
func target[T any](a T) struct{} {
	target[int](1)
	go run(target)
}
type target func(a int)
var target, b = 1, 2`;
  expect(roles("a.go", text)).toEqual([
    "1 mention",
    "3 import",
    "3 import",
    "5 comment",
    "7 definition field of Box",
    "8 mention in Box",
    "11 declaration method of Shape",
    "15 definition variable",
    "17 definition method of Box",
    "18 local local variable",
    "19 call in target",
    "19 string in target",
    "20 string in target",
    "22 definition function",
    "23 call in target",
    "24 mention in target",
    "26 definition type",
    "27 definition variable",
  ]);
});

test("Rust: impl blocks, traits, macros, lifetimes and nested comments", () => {
  const text = `use a::{
    target,
};
pub use b::target;
mod target;
/* target /* target */ target */
pub struct Box<'a, T> where T: Fn(u8) -> u8, {
    pub(crate) target: &'a str,
    quote: char,
}
enum Kind { Other(u8), target { a: u8 } }
impl<'a, T: Into<Vec<u8>>> Shape for Box<'a, T>
where
    T: Clone,
{
    fn target<F>(&self, f: F) -> u8 where F: Fn() -> u8, {
        let target = '"';
        target!(r#"target " target"#);
        self.target::<u8>(1) + f(target)
    }
}
trait Shape { fn target(&self) -> u8; }
macro_rules! target { () => { target() } }
const target: u8 = 1;`;
  expect(roles("a.rs", text)).toEqual([
    "2 import",
    "4 re-export",
    "5 declaration module",
    "6 comment",
    "6 comment",
    "6 comment",
    "8 definition field of Box",
    "11 definition variant of Kind",
    "16 definition method of Box",
    "17 local local variable of Box",
    "18 call in target",
    "18 string in target",
    "18 string in target",
    "19 call in target",
    "19 mention in target",
    "22 declaration method of Shape",
    "23 definition macro",
    "23 call in target",
    "24 definition constant",
  ]);
});

test("Java: annotations, generics, constructors, enum constants and text blocks", () => {
  const text = `package target.a;
import static a.target;
@target
public class Box<T extends Comparable<T>> extends Base {
  private final Map<String, List<T>> target = new HashMap<>();
  public Box(int a) { super(a); }
  @Override
  public static <U> List<U> target(Map<String, U> a) throws IOException, Error {
    String target = """
        target "
        """;
    return this.<U>target(a);
  }
  abstract int target();
  enum Kind { target, other(1); }
  void run() {
    new target();
    list.forEach(Box::target);
    char c = '"'; target(c);
  }
}`;
  expect(roles("A.java", text)).toEqual([
    "1 import",
    "2 import",
    "3 call",
    "5 definition field of Box",
    "8 definition method of Box",
    "9 local local variable of Box",
    "10 string in target",
    "12 call in target",
    "14 declaration method of Box",
    "15 definition enum constant of Kind",
    "17 call in run",
    "18 mention in run",
    "19 call in run",
  ]);
});

test("C: prototypes, definitions over lines, macros, typedefs, members and enumerators", () => {
  const text = `#include "target.h"
#define target(a) \\
  call(target, a)
int target(int a);
extern int target;
static const char *
target(int a,
       int b)
{
  int target = 1;
  if (target(a)) { return target(b); }
  struct target t;
  run(&target);
}
struct target { int target; int (*target)(int); };
typedef struct { int a; } target;
typedef int (*target)(int);
enum kind {
  first,
  target = 2, /* target */
};
static struct target list[] = { { .target = 1 } };
char *s = "target \\" target"; char c = '"'; // target
unsigned long target __attribute__((unused)) (void);`;
  expect(roles("a.c", text)).toEqual([
    "1 string",
    "2 definition macro",
    "3 mention in target",
    "4 declaration function",
    "5 declaration variable",
    "7 definition function",
    "10 local local variable",
    "11 call in target",
    "11 call in target",
    "12 mention in target",
    "13 mention in target",
    "15 definition struct",
    "15 definition member of target",
    "15 definition function pointer of target",
    "16 definition typedef",
    "17 definition typedef",
    "20 definition enumerator of kind",
    "20 comment in kind",
    "22 mention",
    "22 mention",
    "23 string",
    "23 string",
    "23 comment",
    "24 mention",
  ]);
});

test("C++: namespaces, classes, qualified definitions, templates and raw strings", () => {
  const text = `namespace a::b {
using a::target;
template <typename T>
class Box final : public Base<T> {
 public:
  explicit Box(int a) : target(a) {}
  int target(int a) const override;
  virtual void target() = 0;
  int target;
};
template <typename T>
int Box<T>::target(int a) const {
  return this->target(a) + 1'000 + target<int>(a);
}
struct Outer::target : Base { };
void List<Key, Value>::Iterator::target() { }
auto s = R"x(target " )" target)x";
}`;
  expect(roles("a.cc", text)).toEqual([
    "2 import in b",
    "6 call in Box",
    "7 declaration function of Box",
    "8 declaration function of Box",
    "9 definition member of Box",
    "12 definition function of Box",
    "13 call in target",
    "13 call in target",
    "15 definition struct of b",
    "16 definition function of Iterator",
    "17 string in b",
    "17 string in b",
  ]);
});

describe("a line that stands alone", () => {
  function alone(path: string, line: string): string[] {
    const region = regionOf([line], language(path), { firstLine: 7, alone: true });
    return occurrencesOf(region, "target").map(({ role, inside }) => `${role}${inside === undefined ? "" : " inside"}`);
  }

  test("tells what it can and takes nothing for sure that depends on what is around it", () => {
    expect(alone("a.ts", "export function target(a: string): void {")).toEqual(["definition"]);
    expect(alone("a.ts", "  target(a: string): void {")).toEqual(["definition"]);
    expect(alone("a.ts", "  target: string;")).toEqual(["mention"]);
    expect(alone("a.ts", " * the target of it")).toEqual(["comment"]);
    expect(alone("A.java", "  public void target() throws Exception {")).toEqual(["definition"]);
    expect(alone("A.java", "  return target();")).toEqual(["call"]);
    expect(alone("a.c", "  target(a);")).toEqual(["call"]);
    expect(alone("a.h", "\t\tu64 target : 60;")).toEqual(["local"]);
    expect(alone("a.h", "\tstruct other_s target;")).toEqual(["local"]);
    expect(alone("a.c", "\treturn target;")).toEqual(["mention"]);
    expect(alone("a.py", "target = 1")).toEqual(["definition"]);
    expect(alone("a.py", "    target = 1")).toEqual(["mention"]);
  });
});

test("an outline holds what stands outside of functions, in order", () => {
  const text = `const limit = 1;
export class Box {
  size = 1;
  run(): void { const inner = 1; function nested() {} }
}
export function open(): void {}
type Shape = { a: string };
it("x", () => { const b = 1; });`;
  const region = regionOf(text.split("\n"), language("a.ts"), { firstLine: 1 });
  expect(outlineOf(region).map(({ kind, name, nameAt }) => `${lineAt(region, nameAt)} ${kind} ${name}`)).toEqual([
    "1 variable limit",
    "2 class Box",
    "3 field size",
    "4 method run",
    "6 function open",
    "7 type Shape",
    "7 member a",
    "8 variable b",
  ]);
});

test("text that no person wrote costs no more than its length asks for", () => {
  // Each of these once took minutes: unclosed brackets, blanks where strings were, lists, entries, strings in strings.
  const traps = ["{", '"', "a,", "a: b, ", "`${", "f(", "a<", "a(){", "import a ", "impl<a "];
  for (const each of languages) {
    for (const trap of traps) {
      const lines = Array.from({ length: 40 }, () => trap.repeat(Math.ceil(1000 / trap.length)));
      expect(occurrencesOf(regionOf(lines, each, { firstLine: 1 }), "nowhere")).toEqual([]);
    }
  }
});
