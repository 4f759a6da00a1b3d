import { once } from "node:events";
import { mkdir, stat } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { StartError } from "./progress.ts";

const holderSchema = z.object({
  pid: z.number(),
  program: z.string(),
  /** It is stopping, or is a short command: another process should wait for it. */
  endsSoon: z.boolean(),
});
type Holder = z.infer<typeof holderSchema>;

export interface HomeLock {
  /** From now on, other processes that ask for the home wait for it. */
  readonly announceEnd: () => void;
  readonly release: () => Promise<void>;
}

/** Another process uses the home. */
export class HomeInUseError extends StartError {
  constructor(home: string, { program, pid }: Holder) {
    super(
      `${home} is in use by ${program} (pid ${pid}). Stop it, or set PALISADE_HOME to another ` +
        "folder (and other ports) to run a second Palisade beside it.",
    );
  }
}

const WAIT_CAP_MS = 30_000;
const WAIT_POLL_MS = 100;

/**
 * Takes the home for this process. The lock is a listening socket in Linux's abstract namespace:
 * the kernel frees it when the process ends, however it ends, and no file is left behind. Its name
 * comes from the folder's device and inode and not from its path, so that two containers on one
 * network do not collide.
 *
 * @throws HomeInUseError naming the process that holds it, unless that process is about to end
 */
export async function lockHome(
  home: string,
  self: { readonly program: string; readonly endsSoon: boolean },
): Promise<HomeLock> {
  await mkdir(home, { recursive: true });
  const { dev, ino } = await stat(home);
  const address = `\0palisade-home-${dev}-${ino}`;
  const own = { pid: process.pid, ...self };
  const deadline = Date.now() + WAIT_CAP_MS;
  for (;;) {
    const server = await tryListen(address, () => JSON.stringify(own));
    if (server !== undefined) return lockOf(server, own);
    const other = await askHolder(address);
    if (other !== undefined && (!other.endsSoon || Date.now() > deadline)) {
      throw new HomeInUseError(home, other);
    }
    await delay(WAIT_POLL_MS);
  }
}

function lockOf(server: Server, own: Holder): HomeLock {
  return {
    announceEnd: () => {
      own.endsSoon = true;
    },
    release: async () => {
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

async function tryListen(address: string, answer: () => string): Promise<Server | undefined> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end(answer());
  });
  server.listen(address);
  try {
    await once(server, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return undefined;
    throw error;
  }
  // The lock alone must not keep the process alive.
  server.unref();
  return server;
}

/** Undefined when the holder has ended since. */
async function askHolder(address: string): Promise<Holder | undefined> {
  try {
    return holderSchema.parse(JSON.parse(await text(connect(address))));
  } catch {
    return undefined;
  }
}
