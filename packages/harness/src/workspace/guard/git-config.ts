/** As much of git's configuration syntax as it takes to learn which files of a project git runs or reads settings from. */

/** `section` in lower case, with its subsection as written: `includeIf "gitdir:~/x"` is `includeif gitdir:~/x`. */
export type Setting = { section: string; name: string; value: string };

const sectionLine = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const settingLine = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)$/;

/** What cannot be read is passed over. */
export function parseGitConfig(text: string): Setting[] {
  const settings: Setting[] = [];
  let section = "";
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    const heading = sectionLine.exec(line);
    if (heading !== null) {
      const [, name = "", subsection] = heading;
      section = subsection === undefined ? name.toLowerCase() : `${name.toLowerCase()} ${unescaped(subsection)}`;
    }
    const [, name, value = ""] = settingLine.exec(heading === null ? line : line.slice(heading[0].length)) ?? [];
    if (name !== undefined) settings.push({ section, name: name.toLowerCase(), value: valueOf(value) });
  }
  return settings;
}

/** The last one counts. */
export function settingOf(settings: readonly Setting[], section: string, name: string): string | undefined {
  return settings.findLast((setting) => setting.section === section && setting.name === name)?.value;
}

/** Credentials as settings of their own: tokens that CI writes there, passwords for mail. */
const secretSetting = /^(?:\s*\[[^\]]*\])?\s*(?:extraheader|token|oauthtoken|password|smtppass|passwd)\s*=/i;
/** A name and password in an address. */
const userInfo = /(https?:\/\/)[^\s/@"']+@/gi;

/** The text without the credentials that git's settings may hold; the same text where there are none. */
export function withoutCredentials(text: string): string {
  return text
    .replace(/\\\r?\n/g, "")
    .split("\n")
    .filter((line) => !secretSetting.test(line))
    .join("\n")
    .replace(userInfo, "$1");
}

/** Without quotes and comment. */
function valueOf(text: string): string {
  let value = "";
  let quoted = false;
  for (const [part] of text.matchAll(/\\.|[^]/g)) {
    if (part === '"') quoted = !quoted;
    else if (!quoted && (part === "#" || part === ";")) break;
    else value += part.length === 2 ? unescaped(part) : part;
  }
  return value.trim();
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, character: string) => ({ n: "\n", t: "\t", b: "\b" })[character] ?? character);
}
