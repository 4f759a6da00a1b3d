import { problem } from "@palisade/contract/errors/problem";
import { exampleIds } from "@palisade/contract/reference/example-story";
import { allRoutes, routes } from "@palisade/contract/http/routes";
import { beforeEach, describe, expect, test } from "vitest";
import { createAccountState } from "./account-state.ts";
import { handleAccountRoutes } from "./handlers.ts";
import { example } from "./example-answer.ts";
import { accessToken, StubApi, type RawAnswer } from "./stub-api.ts";

const signedIn = { authorization: `Bearer ${accessToken}` };
const firewallPath = `/api/v1/servers/${exampleIds.shield}/firewall`;
let api: StubApi;

beforeEach(() => {
  const state = createAccountState();
  api = new StubApi();
  handleAccountRoutes(api, () => state);
});

async function ask(method: string, pathname: string, body?: unknown, headers = {}) {
  const answer = await api.answer({
    method,
    pathname,
    query: {},
    headers: { ...signedIn, ...headers },
    body,
  });
  if (answer === "cut") throw new Error("The connection was closed");
  return answer;
}

const bodyOf = ({ body }: RawAnswer): unknown => JSON.parse(body.toString());

test.each(allRoutes.filter(({ family }) => family === "api"))(
  "$id has an example answer that its own schema takes",
  (route) => {
    expect(() => example(route)).not.toThrow();
  },
);

describe("a request", () => {
  test("outside the contract is a violation", async () => {
    expect((await ask("GET", "/api/v1/nothing")).status).toBe(404);
    expect(api.violations).toEqual(["The contract has no GET /api/v1/nothing"]);
  });

  test("without the token is answered 401", async () => {
    const answer = await ask("GET", firewallPath, undefined, { authorization: "" });
    expect(problem.parse(bodyOf(answer)).code).toBe("unauthenticated");
  });

  test("with a wrong field is answered by the contract's problem, in the caller's language", async () => {
    const body = { type: "blacklist", ip: "not an address" };
    const russian = await ask("POST", `${firewallPath}/ips`, body, { "accept-language": "ru" });
    const { status, issues } = problem.parse(bodyOf(russian));
    expect(status).toBe(422);
    expect(issues).toMatchObject([{ path: "ip", code: "entry.invalid" }]);
    expect(issues[0]?.message).toMatch(/[а-я]/);
  });

  test("changes what later requests are answered", async () => {
    const body = { type: "blacklist", ip: "192.0.2.1" };
    expect((await ask("POST", `${firewallPath}/ips`, body)).status).toBe(201);
    expect((await ask("GET", firewallPath)).body).toContain("192.0.2.1");
    const again = await ask("POST", `${firewallPath}/ips`, body);
    expect(problem.parse(bodyOf(again)).code).toBe("entry_exists");
  });
});

test("an answer that breaks the contract is a violation and does not reach the page", async () => {
  api.change(routes.firewall.getFirewall, (usual) => ({
    ...usual,
    blacklist_ips: [
      {
        id: "none",
        ip: "192.0.2.1",
        kind: "address" as const,
        created_at: "yesterday",
        note: "",
        expires_at: null,
      },
    ],
  }));
  expect((await ask("GET", firewallPath)).status).toBe(500);
  expect(api.violations[0]).toMatch(/^firewall.get/);
});

test("a refused route answers as before once it is restored", async () => {
  api.refuse(routes.firewall.getFirewall, "plan_required");
  expect(problem.parse(bodyOf(await ask("GET", firewallPath))).code).toBe("plan_required");
  api.restore(routes.firewall.getFirewall);
  expect((await ask("GET", firewallPath)).status).toBe(200);
});

describe("words that a route is told to say", () => {
  const words = { en: "Not today", ru: "Не сегодня" };
  const add = (ip: string) =>
    ask("POST", `${firewallPath}/ips`, { type: "blacklist", ip }, { "accept-language": "ru" });

  test("replace those of its usual answer, in the caller's language", async () => {
    api.say(routes.firewall.addFirewallEntry, words);
    const { status, body } = await add("192.0.2.1");
    expect(status).toBe(201);
    expect(JSON.parse(body.toString())).toMatchObject({
      message: words.ru,
      entry: { ip: "192.0.2.1" },
    });
  });

  test("come with a refusal, which changes nothing, and with the field it is about", async () => {
    api.say(routes.firewall.addFirewallEntry, words, { code: "entry_exists" });
    const refused = problem.parse(bodyOf(await add("192.0.2.1")));
    expect(refused).toMatchObject({ code: "entry_exists", message: words.ru, issues: [] });
    expect((await ask("GET", firewallPath)).body).not.toContain("192.0.2.1");
    api.say(routes.firewall.addFirewallEntry, words, { code: "validation_failed", field: "ip" });
    const { issues } = problem.parse(bodyOf(await add("192.0.2.1")));
    expect(issues).toMatchObject([{ path: "ip", message: words.ru }]);
  });

  test("are not said of a request that breaks the contract", async () => {
    api.say(routes.firewall.addFirewallEntry, words);
    const { code, issues } = problem.parse(bodyOf(await add("not an address")));
    expect(code).toBe("validation_failed");
    expect(issues).toMatchObject([{ code: "entry.invalid" }]);
  });
});

test("a change is refused when its If-Match names what the path no longer shows", async () => {
  const before = (await ask("GET", firewallPath)).etag;
  const change = (etag = "") =>
    ask("PUT", firewallPath, { whitelist_only: true }, { "if-match": etag });
  const changed = await change(before);
  expect(changed.status).toBe(200);
  expect(problem.parse(bodyOf(await change(before))).code).toBe("precondition_failed");
  expect((await change(changed.etag)).status).toBe(200);
});

test("a delayed route answers once it is released", async () => {
  const release = api.delay(routes.firewall.getFirewall);
  const events: string[] = [];
  const answer = ask("GET", firewallPath).then(() => events.push("answered"));
  await new Promise((resolve) => setImmediate(resolve));
  events.push("released");
  release();
  await answer;
  expect(events).toEqual(["released", "answered"]);
});
