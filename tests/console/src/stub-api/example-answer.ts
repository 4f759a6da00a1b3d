import type { RouteDefinition } from "@palisade/contract/http/route";
import { exampleValues } from "@palisade/contract/reference/example-values";
import { z } from "zod";

interface JsonSchema {
  readonly id?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/** A success answer of the route, made of the example values of the contract's reference. */
export function example<R extends RouteDefinition>(route: R): z.output<R["response"]> {
  let answer = answers.get(route.id);
  if (answer === undefined) answers.set(route.id, (answer = exampleAnswer(route)));
  // The route's own schema has just checked it, and parsing makes a copy.
  return route.response.parse(answer) as z.output<R["response"]>;
}

/** By the id of the route. */
const answers = new Map<string, unknown>();

function exampleAnswer(route: RouteDefinition): unknown {
  // Of JSON Schema, zod writes the part above for the contract's schemas.
  const whole = z.toJSONSchema(route.response, { unrepresentable: "any" }) as JsonSchema;
  const definitions = whole.$defs ?? {};

  const fieldOf = (schema: JsonSchema, name: string, owner: string): unknown => {
    for (const key of [`${owner}.${name}`, `${route.id}:${name}`]) {
      if (Object.hasOwn(exampleValues, key)) return exampleValues[key];
    }
    return valueOf(schema, name, owner);
  };

  const valueOf = (schema: JsonSchema, name: string, owner: string): unknown => {
    if (schema.$ref !== undefined) {
      const id = schema.$ref.replace(/^.*\//, "");
      return valueOf(definitions[id] ?? {}, name, id);
    }
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return schema.enum[0];
    if (schema.properties !== undefined) {
      const fields = Object.entries(schema.properties);
      return Object.fromEntries(fields.map(([key, field]) => [key, fieldOf(field, key, owner)]));
    }
    const chosen = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== "null");
    if (chosen?.$ref !== undefined || chosen?.properties !== undefined) {
      return valueOf(chosen, name, owner);
    }
    if (Object.hasOwn(exampleValues, name)) return exampleValues[name];
    if (schema.items !== undefined) return [fieldOf(schema.items, name, owner)];
    if (chosen !== undefined) return fieldOf(chosen, name, owner);
    return schema.default ?? null;
  };

  return fieldOf(whole, "answer", whole.id ?? "");
}
