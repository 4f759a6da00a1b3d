/** The operator of this installation, put into the page by the api. Empty: not configured. */
export interface Operator {
  readonly name: string;
  readonly address: string;
  readonly email: string;
  readonly discord: string;
  readonly source: string;
}

const unknown: Operator = { name: "", address: "", email: "", discord: "", source: "" };

/** Placeholders in pages rendered ahead: the api fills them in and removes links without a value. */
const placeholders: Operator = {
  name: "__operator_name__",
  address: "__operator_address__",
  email: "__operator_email__",
  discord: "__operator_discord__",
  source: "__operator_source__",
};

function readOperator(): Operator {
  if (import.meta.env.SSR) return placeholders;
  const content = document.querySelector<HTMLMetaElement>("meta[name=operator]")?.content ?? "";
  // The development server serves pages without the api in front, and so without an operator.
  return content === "" ? unknown : (JSON.parse(content) as Operator);
}

export const operator = readOperator();
