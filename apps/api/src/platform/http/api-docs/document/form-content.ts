import type { UploadCaps } from "@palisade/contract/http/route";
import type { Examples } from "./examples.ts";
import type { JsonSchema } from "./openapi-types.ts";

/** The JSON body as fields of a form, with files beside them. */
export function uploadContent(
  schema: JsonSchema,
  { field, files }: UploadCaps,
  examples: Pick<Examples, "resolve">,
) {
  const properties: Record<string, object> = { ...examples.resolve(schema).properties };
  for (let index = 0; index < files; index += 1) {
    properties[`${field}[${index}]`] = { type: "string", format: "binary" };
  }
  return { schema: { type: "object", properties } };
}

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
