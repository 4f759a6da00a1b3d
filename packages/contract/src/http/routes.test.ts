import { describe, expect, test } from "vitest";
import { z } from "zod";
import { commonErrors, errorStatus } from "../errors/codes.ts";
import { accessClasses, mountedPath, type RouteDefinition } from "./route.ts";
import { allRoutes } from "./routes.ts";

describe("the contract", () => {
  test("names every route and every method-and-path once", () => {
    const ids = allRoutes.map(({ id }) => id);
    const places = allRoutes.map((r) => `${r.method} ${mountedPath(r)}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(places).size).toBe(places.length);
  });

  test("counts one purpose by one limit, whichever route is called", () => {
    const limits = new Map<string, number>();
    for (const { purpose, per, windowSeconds, max } of allRoutes.flatMap((r) => r.limits)) {
      if (purpose === undefined) continue;
      const name = `${purpose} ${per} ${windowSeconds}`;
      expect(limits.get(name) ?? max, name).toBe(max);
      limits.set(name, max);
    }
    expect(limits.size).toBeGreaterThan(0);
  });

  test("has no secret in an address: browsers, proxies and logs keep those", () => {
    const names = allRoutes.flatMap((definition: RouteDefinition) => [
      ...[...definition.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name),
      ...Object.keys(
        definition.querystring instanceof z.ZodObject ? definition.querystring.shape : {},
      ),
    ]);
    expect(names).toEqual(expect.arrayContaining(["id", "page"]));
    expect(names.filter((name) => /token|code|secret|password|key$/i.test(name))).toEqual([]);
  });

  test.each(allRoutes)("$id is classified and consistent", (definition) => {
    expect(accessClasses).toContain(definition.access);
    expect(["none", "read", "write"]).toContain(definition.apiKey);
    expect(Object.keys(errorStatus)).toEqual(expect.arrayContaining([...definition.errors]));
    expect(commonErrors.some((code) => definition.errors.includes(code))).toBe(false);

    // Callers are counted by what every call of this class has.
    const subjects = definition.limits.map(({ per }) => per);
    expect(subjects.length, "a limit").toBeGreaterThan(0);
    if (definition.access === "anonymous") expect(subjects).toContain("ip");

    const readable = definition.method === "GET";
    if (definition.apiKey !== "none") expect(definition.apiKey).toBe(readable ? "read" : "write");
    if (["member", "owner"].includes(definition.access)) {
      expect(definition.path).toMatch(/^\/servers\/:id(\/|$)/);
      expect(definition.errors).toEqual(expect.arrayContaining(["not_found", "gone"]));
      expect(definition.area !== undefined).toBe(definition.access === "member");
    }
    if (!["anonymous"].includes(definition.access))
      expect(definition.errors).toContain("unauthenticated");
    expect(definition.staffRoles !== undefined).toBe(definition.access === "staff");
    if (definition.access === "staff") expect(definition.errors).toContain("two_factor_required");
    if (definition.path.includes(":")) expect(definition.params).toBeDefined();
    // Staff have to for every change, without it being said of each.
    const isStaff = definition.access === "staff";
    if (definition.recent === false)
      expect([isStaff, definition.errors.includes("step_up_required")]).toEqual([true, false]);
    if (!isStaff)
      expect(definition.recent !== undefined).toBe(definition.errors.includes("step_up_required"));
    if (!readable && definition.access === "anonymous")
      expect(definition.limits.length).toBeGreaterThan(0);
  });

  test("staff need a fresh proof for every change but work on tickets", () => {
    const without = allRoutes.filter(({ recent }) => recent === false);
    expect(without.length).toBeGreaterThan(0);
    expect(
      without.filter(({ id }) => !/^(staffTickets|staffMails|cannedReplies)\./.test(id)),
    ).toEqual([]);
  });
});
