import { z } from "zod";

/** Path of a text in a body: names of fields, "0" for the first item of a list. */
export type FieldPath = readonly string[];

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Definitions = NonNullable<JsonSchema["$defs"]>;

/** Every field of a schema that accepts free text, optional ones included; enums are left out. */
export function textFieldsOf(schema: z.ZodType): FieldPath[] {
  const root = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return walk(root, [], root.$defs ?? {});
}

function walk(
  schema: JsonSchema | boolean | undefined,
  path: FieldPath,
  named: Definitions,
): FieldPath[] {
  if (typeof schema !== "object") return [];
  const reference = schema.$ref?.replace("#/$defs/", "");
  const alternatives = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
    ...(reference === undefined ? [] : [named[reference]]),
  ];
  const items = Array.isArray(schema.items) ? schema.items[0] : schema.items;
  const below = [
    ...alternatives.flatMap((each) => walk(each, path, named)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
      walk(each, [...path, name], named),
    ),
    ...walk(items, [...path, "0"], named),
  ];
  const isText =
    [schema.type].flat().some((type) => `${type}` === "string") &&
    schema.enum === undefined &&
    schema.const === undefined;
  return isText ? [path, ...below] : below;
}

/** The body with the text at the path; missing lists and objects on the way are created. */
export function withText(body: unknown, [name, ...rest]: FieldPath, text: string): unknown {
  if (name === undefined) return text;
  if (name === "0") return [withText(Array.isArray(body) ? body[0] : undefined, rest, text)];
  const fields = typeof body === "object" && body !== null ? body : {};
  return { ...fields, [name]: withText(Reflect.get(fields, name), rest, text) };
}
