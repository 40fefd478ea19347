/** Elements made of text that is not trusted: nothing here ever parses markup. */

export type Child = Node | string;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** `false` and `undefined` leave an attribute out, `true` sets it empty. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  set(made, attributes);
  made.append(...children);
  return made;
}

export function svgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(made, attributes);
  made.append(...children);
  return made;
}

function set(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) target.setAttribute(name, value === true ? "" : String(value));
  }
}
