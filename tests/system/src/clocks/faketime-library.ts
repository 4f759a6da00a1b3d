import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const names = [
  // While a program sleeps in it, the library shows signal handlers the real time; PostgreSQL's
  // handler then finds that its time-outs are years away, and none of them ever ends a statement.
  "epoll_wait",
  // Waits by the monotonic clock end at once, and Chromium spins in them.
  "pthread_cond_init",
  "pthread_cond_destroy",
  "pthread_cond_timedwait",
];

/**
 * Copies faketime's library without those of its functions that programs do not survive. The
 * system's own do not look at the time of day, so nothing is lost.
 *
 * @param folder which PostgreSQL's user can enter
 * @returns the value of LD_PRELOAD
 */
export async function copyFaketime(library: string, folder: string): Promise<string> {
  const bytes = await readFile(library);
  for (const name of names) {
    // The first is in the table of exported names. Under another name no program finds it.
    const at = bytes.indexOf(`\0${name}\0`);
    if (at === -1) throw new Error(`${library} does not export ${name}`);
    bytes.write("E", at + 1, "latin1");
  }
  const copy = path.join(folder, "libfaketime.so.1");
  await writeFile(copy, bytes);
  await chmod(copy, 0o755);
  // BIND allocates by jemalloc, which asks for the time, for which faketime allocates, and so on
  // for ever. With the C library before jemalloc, faketime's memory is not jemalloc's.
  return `${copy} libc.so.6`;
}
