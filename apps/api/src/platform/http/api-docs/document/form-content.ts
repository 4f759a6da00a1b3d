import type { Examples } from "./examples.ts";
import type { JsonSchema } from "./openapi-types.ts";

/** The JSON body as a form: nested names in brackets; what may be a data URI is a file there. */
export function formContent(schema: JsonSchema, examples: Pick<Examples, "resolve">) {
  const properties: Record<string, object> = {};
  for (const [name, value] of Object.entries(examples.resolve(schema).properties ?? {})) {
    const { properties: inner } = examples.resolve(value);
    if (inner === undefined) properties[name] = fieldOf(value);
    for (const [key, field] of Object.entries(inner ?? {})) {
      properties[`${name}[${key}]`] = fieldOf(examples.resolve(field));
    }
  }
  return { schema: { type: "object", properties } };
}

function fieldOf(schema: JsonSchema): object {
  const isNullable = (schema.anyOf ?? []).some(({ type }) => type === "null");
  if (!isNullable) return schema;
  return { description: "A PNG file; empty removes it", type: "string", format: "binary" };
}
