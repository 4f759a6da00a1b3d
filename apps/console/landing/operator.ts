/** Who runs this installation, as the api has put it into the page; empty is not configured. */
export interface Operator {
  readonly name: string;
  readonly address: string;
  readonly email: string;
  readonly discord: string;
  readonly source: string;
}

const unknown: Operator = { name: "", address: "", email: "", discord: "", source: "" };

function readOperator(): Operator {
  const content = document.querySelector<HTMLMetaElement>("meta[name=operator]")?.content ?? "";
  // Without the api in front, in the development server, the page has none.
  return content === "" ? unknown : (JSON.parse(content) as Operator);
}

export const operator = readOperator();
