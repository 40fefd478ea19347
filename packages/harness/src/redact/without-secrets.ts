/** A text as it may be kept where no session is: each secret in it replaced by its kind, `[secret:aws-key]`. */
export async function withoutSecrets(text: string): Promise<string> {
  const { findSecrets } = await import("./find.ts"); // most runs keep no such text
  let out = "";
  let end = 0;
  for (const { from, to, name, goesOn } of findSecrets(text)) {
    out += text.slice(end, from) + (goesOn === true ? "" : `[secret:${name}]`);
    end = to;
  }
  return out + text.slice(end);
}
