/** Writing XML as text: names are ours, everything else is escaped. */

/** Characters that XML cannot hold, not even escaped, and half characters. */
const illegal = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;

/** Text as it stands between tags or in an attribute. */
export function escapedXml(text: string): string {
  return text
    .replaceAll(illegal, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

type Attributes = Readonly<Record<string, string | number>>;

/** `<name a="b">content</name>`, with the content as XML already. */
export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapedXml(String(value))}"`)
    .join("");
  const inside = content.join("");
  return inside === "" ? `<${name}${written}/>` : `<${name}${written}>${inside}</${name}>`;
}

/** A whole part of a package. */
export function xmlPart(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${root}`;
}
