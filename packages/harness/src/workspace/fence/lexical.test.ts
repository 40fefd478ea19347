import { expect, test } from "vitest";
import { asFailure } from "../../error.ts";
import { explainForeign, relativePath, type Dialect } from "./lexical.ts";

const roots = { posix: "/srv/app", windows: "C:\\srv\\app" };

/** The relative path, or the code of the refusal. */
function outcome(path: string, dialect: Dialect): string {
  try {
    return relativePath(path, roots[dialect], dialect);
  } catch (thrown) {
    return asFailure(thrown).code;
  }
}

const table: readonly [path: string, posix: string, windows: string][] = [
  ["a/b.ts", "a/b.ts", "a/b.ts"],
  [".", ".", "."],
  ["./a//b/", "./a//b/", "./a//b/"],
  ["a/../b", "a/../b", "a/../b"],
  ["   ", "   ", "   "],
  ["", "E_EMPTY_PATH", "E_EMPTY_PATH"],
  ["a\0b", "E_BAD_PATH", "E_BAD_PATH"],
  ["a\ud800", "E_BAD_PATH", "E_BAD_PATH"],
  ["a".repeat(5000), "E_PATH_TOO_LONG", "E_PATH_TOO_LONG"],
  ["é".repeat(2048), "E_PATH_TOO_LONG", "E_PATH_TOO_LONG"],
  ["/etc/passwd", "E_OUTSIDE_ROOT", "E_OUTSIDE_ROOT"],
  ["//etc/passwd", "E_OUTSIDE_ROOT", "E_NETWORK_PATH"],
  ["/proc/self/root/etc/passwd", "E_OUTSIDE_ROOT", "E_OUTSIDE_ROOT"],
  ["/srv/app-secrets/x", "E_OUTSIDE_ROOT", "E_OUTSIDE_ROOT"],
  ["/srv/\u0430pp/x", "E_OUTSIDE_ROOT", "E_OUTSIDE_ROOT"],
  ["/srv/app", ".", "E_OUTSIDE_ROOT"],
  ["/srv/app/", ".", "E_OUTSIDE_ROOT"],
  ["/srv/app//a", "a", "E_OUTSIDE_ROOT"],
  ["/srv/app/../x", "E_OUTSIDE_ROOT", "E_OUTSIDE_ROOT"],
  ["..", "E_OUTSIDE_ROOT", "E_OUTSIDE_ROOT"],
  ["../app/x", "E_OUTSIDE_ROOT", "E_OUTSIDE_ROOT"],
  ["a/../../app/x", "E_OUTSIDE_ROOT", "E_OUTSIDE_ROOT"],
  ["~/.ssh/id_rsa", "~/.ssh/id_rsa", "~/.ssh/id_rsa"],
  ["$HOME/x", "$HOME/x", "$HOME/x"],
  ["%USERPROFILE%", "%USERPROFILE%", "%USERPROFILE%"],
  ["file:///etc/passwd", "file:///etc/passwd", "E_BAD_PATH"],
  ["a\\b", "a\\b", "a/b"],
  ["..\\x", "..\\x", "E_OUTSIDE_ROOT"],
  ["c:\\SRV\\app\\a", "c:\\SRV\\app\\a", "a"],
  ["C:\\Windows", "C:\\Windows", "E_DRIVE_PATH"],
  ["C:file", "C:file", "E_DRIVE_PATH"],
  ["\\\\evil\\share", "\\\\evil\\share", "E_NETWORK_PATH"],
  ["\\\\?\\C:\\x", "\\\\?\\C:\\x", "E_DEVICE_PATH"],
  ["\\\\.\\pipe\\x", "\\\\.\\pipe\\x", "E_DEVICE_PATH"],
  ["//?/C:/x", "E_OUTSIDE_ROOT", "E_DEVICE_PATH"],
  ["CON", "CON", "E_DEVICE_PATH"],
  ["a/nul.txt", "a/nul.txt", "E_DEVICE_PATH"],
  ["com1", "com1", "E_DEVICE_PATH"],
  ["console.ts", "console.ts", "console.ts"],
  ["f.txt:s", "f.txt:s", "E_BAD_PATH"],
  [".git::$INDEX_ALLOCATION/x", ".git::$INDEX_ALLOCATION/x", "E_BAD_PATH"],
];

test.for(table)("%j", ([path, posix, windows]) => {
  expect([outcome(path, "posix"), outcome(path, "windows")]).toEqual([posix, windows]);
});

test("the root of the file system contains every absolute path", () => {
  expect(relativePath("/etc/passwd", "/", "posix")).toBe("etc/passwd");
});

test.for([
  ["~/x", "E_HOME_PATH"],
  ["~root", "E_HOME_PATH"],
  ["C:\\x", "E_DRIVE_PATH"],
  ["\\\\host\\share", "E_NETWORK_PATH"],
  ["\\\\.\\pipe\\x", "E_DEVICE_PATH"],
])("%s that leads nowhere is explained", ([path, code]) => {
  expect(() => explainForeign(path ?? "")).toThrow(expect.objectContaining({ code }));
});

test.for(["a/b", "$HOME/x", "CON", "a:b/c".slice(1)])("%s needs no explanation", (path) => {
  expect(() => explainForeign(path)).not.toThrow();
});

test("each refusal says what was wrong and what to do", () => {
  const narrations = ["", "/etc/passwd", "../x", "a\0b"].map((path) => {
    try {
      return relativePath(path, "/srv/app", "posix");
    } catch (thrown) {
      return asFailure(thrown).narration;
    }
  });
  expect(narrations).toEqual([
    'The path is empty. Use "." for the project folder.',
    '"/etc/passwd" is outside the project. Give a path relative to the project folder, such as src/index.ts.',
    '"../x" climbs out of the project. Give a path relative to the project folder, such as src/index.ts.',
    '"a\\u0000b" holds a NUL byte. Give a path relative to the project folder, such as src/index.ts.',
  ]);
});
