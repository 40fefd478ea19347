/** What the command line asks for. Throws where it is wrong. */
export function parse(argv) {
  const parsed = { file: undefined, min: 1, help: false };
  for (let n = 0; n < argv.length; n++) {
    const [name, attached] = divide(argv[n]);
    if (name === "--help") parsed.help = true;
    else if (name === "--min") parsed.min = Number(attached ?? argv[++n]);
    else if (name.startsWith("-")) throw new Error(`unknown option ${name}`);
    else if (parsed.file !== undefined) throw new Error("one file only");
    else parsed.file = name;
  }
  if (parsed.file === undefined && !parsed.help) throw new Error("no file");
  return parsed;
}

function divide(argument) {
  const at = argument.indexOf("=");
  return argument.startsWith("--") && at !== -1
    ? [argument.slice(0, at), argument.slice(at + 1)]
    : [argument, undefined];
}
