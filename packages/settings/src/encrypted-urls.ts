/** The problem with a URL in production; undefined for none. */
type Problem = string | undefined;

const thisMachine = new Set(["127.0.0.1", "[::1]", "::1", "localhost"]);

export function isThisMachine(host: string): boolean {
  return thisMachine.has(host);
}

/** Whether the content cannot be altered on its way: https, or http on this machine. */
export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && isThisMachine(hostname));
}

/** For URLs that carry credentials or decide who gets in. */
export function refuseUnsafeUrl(url: string): Problem {
  return isSafeUrl(url)
    ? undefined
    : "must be an https URL in production, or http on this machine (127.0.0.1, [::1] or localhost)";
}

/** For receivers that are never on this machine. */
export function refuseOpenUrl(url: string): Problem {
  if (URL.canParse(url)) {
    const { protocol, hostname } = new URL(url);
    if (protocol === "https:" && !isThisMachine(hostname)) return undefined;
  }
  return "must be an https URL in production, and not of this machine";
}

/** The client of PostgreSQL connects without encryption unless the URL asks for it. */
export function refuseOpenDatabase(url: string): Problem {
  if (!URL.canParse(url)) return "must be a URL, postgres://role:password@host/database";
  const { hostname, searchParams } = new URL(url);
  // The client takes the last one of repeated parameters.
  const host = searchParams.getAll("host").at(-1) ?? decodeURIComponent(hostname);
  const isSocket = host === "" || host.startsWith("/");
  const isChecked = searchParams.getAll("sslmode").at(-1) === "verify-full";
  if (isSocket || isThisMachine(host) || isChecked) return undefined;
  return "must end in ?sslmode=verify-full in production, unless PostgreSQL is on this machine (add &sslrootcert=<file> for a CA of your own)";
}

/** Options that have to be on for encryption, and options that switch it off. */
const needed: ReadonlySet<string> = new Set(["requireTLS", "secure", "tls.rejectUnauthorized"]);
const harmful: ReadonlySet<string> = new Set(["ignoreTLS", "opportunisticTLS"]);

/** As the client of mails reads an option: a number is one, and `true` and `false` are no texts. */
function isOn(value: string): boolean {
  return value !== "false" && Number(value) !== 0;
}

/** Mails carry codes that reset passwords. */
export function refuseOpenMailServer(url: string): Problem {
  if (!URL.canParse(url)) return "must be a URL, smtp://user:password@host:587";
  const { hostname, searchParams } = new URL(url);
  if (isThisMachine(hostname)) return undefined;
  const values = [...searchParams];
  const [option] =
    values.find(
      ([name, value]) => (needed.has(name) && !isOn(value)) || (harmful.has(name) && isOn(value)),
    ) ?? [];
  return option && `must not switch encryption off by ${option} in production`;
}

/** The mailbox's password and the customers' mails go over it. */
export function refuseOpenMailbox(url: string): Problem {
  if (!URL.canParse(url)) return "must be a URL, imaps://user:password@host/INBOX";
  const { protocol, hostname } = new URL(url);
  if (protocol === "imaps:" || isThisMachine(hostname)) return undefined;
  return "must begin with imaps:// in production, unless the server is on this machine";
}
