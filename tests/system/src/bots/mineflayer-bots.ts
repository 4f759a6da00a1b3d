import { type PeerHost, wrongCode } from "../minecraft/peer-host.ts";
import type { HostPort } from "../product/palisade.ts";
import { insideWord } from "./inside-server.ts";
import { rejoinText } from "./shields.ts";

export interface MineflayerCrowd {
  readonly edge: HostPort;
  readonly hostname: string;
  readonly versions: readonly string[];
  readonly count: number;
  readonly physics: boolean;
  /** The number of the first one; each has a name and an address of its own. */
  readonly from: number;
  /** Each waits for most of its time: for the edge to give it up. */
  readonly atOnce: number;
}

const networks = 30;

export interface CrowdResult {
  /** How many the server let in. */
  readonly inside: number;
  /** How the attempts of all of them ended, the first ones and those to join again. */
  readonly ends: Readonly<Record<string, number>>;
}

/** Joins with real bots of mineflayer. */
export async function runMineflayer(peers: PeerHost, crowd: MineflayerCrowd): Promise<CrowdResult> {
  let [begun, inside] = [0, 0];
  const ends: Record<string, number> = {};
  const told = (end: string): void => void (ends[end] = (ends[end] ?? 0) + 1);
  const next = async (): Promise<void> => {
    while (begun < crowd.count) if (await tryOne(peers, crowd, begun++, told)) inside++;
  };
  await Promise.all(Array.from({ length: crowd.atOnce }, next));
  return { inside, ends };
}

async function tryOne(
  peers: PeerHost,
  crowd: MineflayerCrowd,
  n: number,
  told: (end: string) => void,
): Promise<boolean> {
  const { edge, hostname, versions, physics } = crowd;
  const at = crowd.from + n;
  const version = versions[n % versions.length] ?? "1.20.4";
  // Each out of a /24 of its own, in networks that the other bots do not use.
  const from = `127.${220 + (at % networks)}.${Math.floor(at / networks) % 250}.1`;
  const target = { edge, hostname, version, from };
  const player = `${physics ? "Karl" : "Paul"}_of_${at}`;
  const options = {
    ...target,
    player,
    program: "mineflayer",
    physics,
    greeted: true,
    captcha: wrongCode,
  } as const;
  // A bot whose connection ends is not in, nor one that the edge waits for longer than the peers wait.
  const join = async (): Promise<string> => {
    const end = await peers.join(options).catch(() => undefined);
    const text = end?.outcome === "kicked" ? end.text : (end?.outcome ?? "no answer");
    // Below it is a code, another one in each kick.
    told(text.split("\n", 1)[0] ?? text);
    return text;
  };
  await peers.ping(target).catch(() => told("no status"));
  const first = await join();
  const last = first.includes(rejoinText) ? await join() : first;
  return last === "joined" || last.includes(insideWord);
}
