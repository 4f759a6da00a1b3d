import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pingStatus } from "./minecraft/java-client.ts";
import { createShield, logInAs, signUp, type CreatedShield } from "./product/account.ts";
import {
  createHome,
  databaseOf,
  removeHome,
  startPalisade,
  type Palisade,
} from "./product/palisade.ts";

/** The first start, a second start, and two installations side by side. */

const email = "owner@example.com";
/** Nothing listens there: the backend is offline. */
const backend = { host: "127.0.0.1", port: 4_009 };

const homes: string[] = [];
const running: Palisade[] = [];
let one: Palisade;
let two: Palisade;
let shield: CreatedShield;

async function start(home: string): Promise<Palisade> {
  const palisade = await startPalisade(home);
  running.push(palisade);
  return palisade;
}

function logIn({ consoleUrl }: Palisade): Promise<string> {
  return logInAs(consoleUrl, email);
}

/** The name of the version, as the server list of a player shows it. */
async function shown({ java }: Palisade, host: string): Promise<string | undefined> {
  return (await pingStatus({ edge: java, host })).version?.name;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

beforeAll(async () => {
  homes.push(await createHome(), await createHome());
  const [first = "", second = ""] = homes;
  [one, two] = await Promise.all([start(first), start(second)]);
  shield = await createShield(await signUp(one.consoleUrl, email), backend, "play.example.com");
  await until(async () => (await shown(one, shield.domain)) === "§cOffline");
});

afterAll(async () => {
  for (const palisade of running) await palisade.stop();
  for (const home of homes) await removeHome(home);
});

describe("instances", () => {
  test("two with separate homes and ports run side by side and share nothing", async () => {
    expect(new URL(one.consoleUrl).port).not.toBe(new URL(two.consoleUrl).port);
    expect(one.java.port).not.toBe(two.java.port);
    expect(await shown(two, shield.domain)).toBe("Palisade");
    await expect(logIn(one)).resolves.toBeDefined();
    await expect(logIn(two)).rejects.toMatchObject({ status: 422 });
  });

  test("a second start is quick and finds everything again", async () => {
    await one.stop();
    one = await start(one.home);
    // The goal is 5 s; the cap is for a machine that does other work, too.
    expect(one.startedInMs).toBeLessThan(60_000);
    expect(await shown(one, shield.domain)).toBe("§cOffline");
    await expect(logIn(one)).resolves.toBeDefined();
  });

  test("after kill -9 of the supervisor all programs end, and nothing blocks the next start", async () => {
    const pids = [
      ...(await Promise.all((["api", "edge", "dns"] as const).map((name) => one.pidOf(name)))),
      (await databaseOf(one.home)).pid,
    ];
    one.supervisor.kill("SIGKILL");
    await until(() => pids.every((pid) => !isAlive(pid)), { what: "the end of all programs" });
    one = await start(one.home);
    expect(await shown(one, shield.domain)).toBe("§cOffline");
    await expect(logIn(one)).resolves.toBeDefined();
  });
});
