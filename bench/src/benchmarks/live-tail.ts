import { launchBrowser } from "@palisade/system-tests/console/browser";
import { createConsolePages } from "@palisade/system-tests/console/pages";
import { clientOf, createShield, logInAs, signUp } from "@palisade/system-tests/product/account";
import {
  createHome,
  databaseOf,
  removeHome,
  startPalisade,
} from "@palisade/system-tests/product/palisade";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import type { Benchmark } from "./benchmark.ts";

const perSecond = 200;
const seconds = 20;
const email = "tail@example.com";
/** A frame of 60 Hz that came this late shows that at least one was dropped. */
const lateMs = 1.5 * (1_000 / 60);

/** Rows a second into the live log of a real browser: what arrives, and which frames are late. */
export const liveTail: Benchmark = {
  name: "live-tail",
  isExtra: true,
  async run({ say }) {
    say("live-tail: starting the whole product");
    const home = await createHome();
    const palisade = await startPalisade(home);
    const browser = await launchBrowser();
    const database = new Client({ connectionString: (await databaseOf(home)).ownerUrl });
    database.on("error", () => undefined);
    await database.connect();
    try {
      const { consoleUrl } = palisade;
      await signUp(consoleUrl, email);
      const token = await logInAs(consoleUrl, email);
      const backend = { host: "127.0.0.1", port: 25_565 };
      const shield = await createShield(clientOf(consoleUrl, token), backend, "mc.example.com");
      const page = await createConsolePages(browser, consoleUrl).page({ token });
      await page.goto(`/dashboard/gameshield/${shield.id}/logs?live=on`);
      await page.getByText("Following live").waitFor();
      const idle = await page.evaluate(frames, { ms: 5_000, lateMs });
      say(`live-tail: ${perSecond} rows a second for ${seconds} s`);
      const frameCount = page.evaluate(frames, { ms: seconds * 1_000, lateMs });
      await insertSteadily(database, shield.id);
      const busy = await frameCount;
      const last = perSecond * seconds - 1;
      await page.getByText(`row_${last}`, { exact: true }).waitFor();
      return [
        {
          benchmark: "live-tail",
          measure: `late frames, ${perSecond} rows a second`,
          unit: "frames",
          value: busy.lateAtMs.length,
          others: { "without rows, 5 s": idle.lateAtMs.length },
          aim: { of: "value", is: "at most", limit: 0 },
          note: `${busy.count} frames in ${seconds} s, the longest ${busy.longestMs.toFixed(0)} ms${lateTimes(busy)}`,
        },
      ];
    } finally {
      await browser.close();
      await database.end();
      await palisade.stop();
      await removeHome(home);
    }
  },
};

interface FrameTimes {
  count: number;
  /** Since the first frame. */
  lateAtMs: number[];
  longestMs: number;
}

function lateTimes({ lateAtMs }: FrameTimes): string {
  if (lateAtMs.length === 0) return "";
  return `; late at ${lateAtMs.map((at) => `${(at / 1_000).toFixed(1)} s`).join(", ")}`;
}

/** The browser's, which the page's part below calls. */
declare function requestAnimationFrame(callback: (nowMs: number) => void): number;

/** Runs in the page. */
function frames({ ms, lateMs: late }: { ms: number; lateMs: number }) {
  return new Promise<FrameTimes>((resolve) => {
    const startedMs = performance.now();
    const found: FrameTimes = { count: 0, lateAtMs: [], longestMs: 0 };
    let beforeMs = startedMs;
    const frame = (nowMs: number): void => {
      const took = nowMs - beforeMs;
      beforeMs = nowMs;
      found.count += 1;
      if (took > late) found.lateAtMs.push(nowMs - startedMs);
      found.longestMs = Math.max(found.longestMs, took);
      if (nowMs - startedMs >= ms) resolve(found);
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** Past the edges, which would have to be attacked to report so many. Ids grow with the time. */
async function insertSteadily(database: Client, shieldId: string): Promise<void> {
  const partsPerSecond = 10;
  const rows = perSecond / partsPerSecond;
  const startedMs = performance.now();
  for (let part = 0; part < seconds * partsPerSecond; part += 1) {
    await database.query(
      `insert into login_entries (id, shield_id, at, edge_id, verdict, shadow, player, ip, protocol,
         host, trace, facts)
       select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
           || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || substr(md5(n::text), 1, 15))::uuid,
         $1::uuid, clock_timestamp(), gen_random_uuid(), 'rate', false, 'row_' || n,
         '198.51.100.7', 765, 'mc.example.com', '7K3M9QXW', '{}'
       from generate_series($2::int, $3::int) n`,
      [shieldId, part * rows, (part + 1) * rows - 1],
    );
    const dueMs = startedMs + ((part + 1) * 1_000) / partsPerSecond;
    await pause(Math.max(0, dueMs - performance.now()));
  }
}
