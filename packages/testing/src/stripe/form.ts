/** A body of Stripe's API: names in brackets make objects, `a[b][0]=c` is `{ a: { b: { 0: "c" } } }`. */
export interface Form {
  readonly [name: string]: string | Form | undefined;
}

export function readForm(encoded: string): Form {
  const form: Record<string, string | Form> = {};
  for (const [name, value] of new URLSearchParams(encoded)) {
    const names = name.split(/\[|\]\[|\]/).filter((part, index) => index === 0 || part !== "");
    let at: Record<string, string | Form> = form;
    for (const part of names.slice(0, -1)) {
      const inner = at[part];
      const next = typeof inner === "object" ? inner : {};
      at[part] = next;
      at = next as Record<string, string | Form>;
    }
    at[names.at(-1) ?? ""] = value;
  }
  return form;
}

export function textOf(form: Form, ...names: readonly string[]): string | undefined {
  let at: string | Form | undefined = form;
  for (const name of names) at = typeof at === "object" ? at[name] : undefined;
  return typeof at === "string" ? at : undefined;
}

export function numberOf(form: Form, ...names: readonly string[]): number | undefined {
  const text = textOf(form, ...names);
  return text === undefined ? undefined : Number(text);
}

export function metadataOf(form: Form, ...names: readonly string[]): Record<string, string> {
  let at: string | Form | undefined = form;
  for (const name of [...names, "metadata"]) at = typeof at === "object" ? at[name] : undefined;
  const entries = Object.entries(typeof at === "object" ? at : {});
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? value : ""]),
  );
}
