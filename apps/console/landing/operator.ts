/** Who runs this installation, as the api has put it into the page; empty is not configured. */
export interface Operator {
  readonly name: string;
  readonly address: string;
  readonly email: string;
  readonly discord: string;
  readonly source: string;
}

const unknown: Operator = { name: "", address: "", email: "", discord: "", source: "" };

/** In what is rendered ahead: the api puts the values in, and takes out links without one. */
const awaited: Operator = {
  name: "__operator_name__",
  address: "__operator_address__",
  email: "__operator_email__",
  discord: "__operator_discord__",
  source: "__operator_source__",
};

function readOperator(): Operator {
  if (import.meta.env.SSR) return awaited;
  const content = document.querySelector<HTMLMetaElement>("meta[name=operator]")?.content ?? "";
  // Without the api in front, in the development server, the page has none.
  return content === "" ? unknown : (JSON.parse(content) as Operator);
}

export const operator = readOperator();
