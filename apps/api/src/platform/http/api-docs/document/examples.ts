import { exampleValues } from "@palisade/contract/reference/example-values";
import type { JsonSchema } from "./openapi-types.ts";

export interface Examples {
  /**
   * A value that fits `schema`, made of the values its fields have in the contract's table.
   *
   * @param operation id of the operation, for values that are its own
   * @param name of the field; `body` and `answer` for the whole
   */
  of(schema: JsonSchema, operation: string, name: string): unknown;
  /** The schema itself, of a reference the one that is meant. */
  resolve(schema: JsonSchema): JsonSchema;
}

export function createExamples(schemas: Readonly<Record<string, JsonSchema>>): Examples {
  const make = (schema: JsonSchema, operation: string, name: string, owner: string): unknown => {
    for (const key of [`${owner}.${name}`, `${operation}:${name}`]) {
      if (Object.hasOwn(exampleValues, key)) return exampleValues[key];
    }
    return build(schema, operation, name, owner);
  };

  const build = (schema: JsonSchema, operation: string, name: string, owner: string): unknown => {
    if (schema.$ref !== undefined) {
      const id = schema.$ref.replace(/^.*\//, "");
      // Built, not looked up: a field may have the name of one inside of what it refers to.
      return build(schemas[id] ?? {}, operation, name, id.replace(/Input$/, ""));
    }
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return schema.enum[0];
    if (schema.properties !== undefined) {
      return Object.fromEntries(
        Object.entries(schema.properties)
          .map(([key, value]) => [key, make(value, operation, key, owner)])
          .filter(([, value]) => value !== undefined),
      );
    }
    const choices = schema.anyOf ?? schema.oneOf;
    const chosen = choices?.find(({ type }) => type !== "null");
    if (chosen !== undefined && isStructure(chosen)) return build(chosen, operation, name, owner);
    if (Object.hasOwn(exampleValues, name)) return exampleValues[name];
    if (schema.items !== undefined) return [make(schema.items, operation, name, owner)];
    if (chosen !== undefined) return make(chosen, operation, name, owner);
    return schema.default ?? null;
  };

  const resolve = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined ? schema : (schemas[schema.$ref.replace(/^.*\//, "")] ?? {});
  return { of: (schema, operation, name) => make(schema, operation, name, ""), resolve };
}

function isStructure({ $ref, properties }: JsonSchema): boolean {
  return $ref !== undefined || properties !== undefined;
}
