import { spawn } from "node:child_process";

export type NftResult =
  | { readonly ok: true; readonly output: string }
  | { readonly ok: false; readonly reason: string };

/** 10,000 elements take some 50 ms; a call that takes this long hangs. */
const runSeconds = 10;
const outputBytesMax = 4 * 1024 * 1024;

/** Folders in which distributions put nft; the edge's own PATH may lack them. */
const searchPath = "/usr/sbin:/sbin:/usr/bin:/bin:/usr/local/sbin:/usr/local/bin";

/** nft opens its input by name, which does not work for the sockets Node gives to children. */
const throughPipe = ["-c", `cat | exec timeout -s KILL ${runSeconds} nft "$@"`, "nft"];
/** Exit code of the shell if the program is not found. */
const notFoundCode = 127;

/** Runs nft without holding up anything else. Never rejects: every failure is a result. */
export async function runNft(args: readonly string[], input = ""): Promise<NftResult> {
  try {
    return await start(args, input);
  } catch (error) {
    // Out of file descriptors, Node gives a child without streams.
    return { ok: false, reason: error instanceof Error ? error.message : "nft cannot be started" };
  }
}

function start(args: readonly string[], input: string): Promise<NftResult> {
  const { promise, resolve } = Promise.withResolvers<NftResult>();
  const child = spawn("/bin/sh", [...throughPipe, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: searchPath },
  });
  let output = "";
  let complaint = "";
  child.on("error", (error) => resolve({ ok: false, reason: error.message }));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (output.length < outputBytesMax) output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (complaint.length < 4_096) complaint += text;
  });
  child.on("close", (code, signal) => {
    if (code === 0) resolve({ ok: true, output });
    else if (code === notFoundCode) resolve({ ok: false, reason: "nft is not installed" });
    else resolve({ ok: false, reason: firstLine(complaint) ?? `nft ended with ${code ?? signal}` });
  });
  // A program that has ended early gives its reason itself.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  return promise;
}

function firstLine(text: string): string | undefined {
  return text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "");
}
