/** Does it look like a file? A colon and a number follow hosts, images, times and verses as well as paths. */

/** Endings that hardly anything but a file has. */
const fileEndings = words(`
  astro bat bash bzl c cc cfg cjs clj cljs cmake cmd conf cpp cs csproj css csv cts cu cxx dart diff ejs elm erb erl ex exs
  fish fs fsx gd go gql gradle graphql groovy h haml hbs hcl hh hpp hrl hs htm html hxx ini ipynb java jinja jl js json
  json5 jsonc jsonl jsx kt kts less lock lua markdown md mdx mjs mk ml mli mm mts nix patch php pl plist pm prisma
  properties proto ps1 pug py pyi pyx rb rake rkt rs rst sass sbt scala scm scss sh sln sol sql styl svelte svg swift
  tcl tex tf tfvars toml ts tsv tsx txt vb vim vue wat xml xsd xsl yaml yml zig zsh
`);
/** Endings that properties, methods and sites have too: a file only behind a folder. */
const weakEndings = words("d env example in log m map out pro r s snap template test");
/** Endings that are top-level domains as well. */
const domainEndings = words("cc md ml pl py rs sh");
const webPorts = new Set([80, 443, 3000, 4000, 5000, 8000, 8080, 8443]);
const products = /^(?:node|next|nuxt|vue|react|express|three|d3|ember|backbone|socket|chart|moment)\.js$/i;
const domain = /^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app|ai|co|edu|gov)$/i;
/** Globs, templates, drive paths, addresses: whatever has these counts only where a file really has that name. */
const oddCharacters = /[\s\\{}$%~^+&="'`]|.@|^-/;

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** Could this be a path at all? Numbers and the tails of URLs could not. */
export function mayBePath(path: string): boolean {
  return path.length <= 1_024 && /\p{L}/u.test(path) && !path.startsWith("//") && !/[/.]$/.test(path);
}

/** The ending of a path's last name, lower case, or undefined: a leading dot makes no ending. */
function endingOf(path: string): string | undefined {
  return /[^/.][^/]*\.([A-Za-z0-9]+)$/.exec(path.slice(-256))?.[1]?.toLowerCase();
}

/** Is it certain that a file is meant, so that its absence is a fault of whoever cites it? */
export function isCertainlyFile(path: string, line: number): boolean {
  const ending = endingOf(path);
  if (ending === undefined || oddCharacters.test(path.replace(/^(?:@[\w.-]+)(?=\/)/, ""))) return false;
  const [first = "", ...rest] = path.split("/");
  if (rest.length > 0) return (fileEndings.has(ending) || weakEndings.has(ending)) && !domain.test(first);
  if (domainEndings.has(ending) && webPorts.has(line)) return false;
  return fileEndings.has(ending) && !products.test(path);
}

/** A bare lower-case word reads as a host or a service: only a line it really has makes it a file. */
export function mayBeService(path: string): boolean {
  return /^[a-z][\w-]*$/.test(path);
}

/** Is this the name of a file rather than of something in one? */
export function isFileName(name: string): boolean {
  const ending = endingOf(name);
  return name.includes("/") || (ending !== undefined && fileEndings.has(ending));
}
