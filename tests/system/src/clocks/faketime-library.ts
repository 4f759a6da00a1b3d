import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const name = Buffer.from("\0epoll_wait\0");

/**
 * Copies faketime's library without its `epoll_wait`. While a program sleeps in that, the library
 * shows signal handlers the real time; PostgreSQL's handler then finds that its time-outs are years
 * away, and none of them ever ends a statement. The system's own `epoll_wait` does not look at the
 * clock, so nothing is lost.
 *
 * @param folder which PostgreSQL's user can enter
 * @returns the copy's path
 */
export async function copyFaketime(library: string, folder: string): Promise<string> {
  const bytes = await readFile(library);
  // The first is in the table of exported names. Under another name no program finds it.
  const at = bytes.indexOf(name);
  if (at === -1) throw new Error(`${library} does not export epoll_wait`);
  bytes.write("E", at + 1, "latin1");
  const copy = path.join(folder, "libfaketime.so.1");
  await writeFile(copy, bytes);
  await chmod(copy, 0o755);
  return copy;
}
