import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { describe, expect, test } from "vitest";
import { readSettings, settings, SettingsError, type SettingName } from "./settings.ts";

const names = Object.keys(settings) as SettingName[];

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe("readSettings", () => {
  test("an empty environment gives the documented defaults", () => {
    expect(
      readSettings({}, [
        "PALISADE_HTTP_PORT",
        "PALISADE_ZONE",
        "SMTP_URL",
        "PALISADE_PRIVATE_BACKENDS",
      ]),
    ).toEqual({
      PALISADE_HTTP_PORT: 8080,
      PALISADE_ZONE: "gs.localhost",
      PALISADE_PRIVATE_BACKENDS: [],
    });
  });

  test("an empty variable counts as not set", () => {
    expect(
      readSettings({ PALISADE_HTTP_PORT: "" }, ["PALISADE_HTTP_PORT"]).PALISADE_HTTP_PORT,
    ).toBe(8080);
  });

  test("all wrong settings are named together, and no value is printed", () => {
    const problems = problemsOf(() =>
      readSettings({ PALISADE_HTTP_PORT: "eighty", SMTP_URL: "secret-value" }, [
        "PALISADE_HTTP_PORT",
        "SMTP_URL",
      ]),
    );
    expect(problems).toEqual([
      expect.stringContaining("PALISADE_HTTP_PORT"),
      expect.stringContaining("SMTP_URL must begin with smtp://"),
    ]);
    expect(problems.join()).not.toContain("secret-value");
  });

  test("a secret may be in a file that another variable names, and nothing else may", async () => {
    const folder = await createTemporaryFolder("settings");
    const file = path.join(folder.path, "secret");
    try {
      await writeFile(file, "smtps://a:b@mail.example\n");
      const names = ["SMTP_URL", "PALISADE_ZONE"] as const;
      const read = (environment: Record<string, string>) => readSettings(environment, names);
      expect(read({ SMTP_URL_FILE: file, PALISADE_ZONE_FILE: file })).toEqual({
        SMTP_URL: "smtps://a:b@mail.example",
        PALISADE_ZONE: "gs.localhost",
      });
      expect(problemsOf(() => read({ SMTP_URL_FILE: `${file}.missing` }))).toEqual([
        "SMTP_URL_FILE names no file that this program can read",
      ]);
    } finally {
      await folder.remove();
    }
  });

  test("the session server may have a path, and no query, fragment or password", () => {
    const read = (url: string) =>
      readSettings({ PALISADE_SESSION_SERVER_URL: url }, ["PALISADE_SESSION_SERVER_URL"]);
    for (const end of ["", "/", "//", " ", "#", "?", "/?#"]) {
      const url = `https://mirror.example/mojang${end}`;
      expect(read(url).PALISADE_SESSION_SERVER_URL, url).toBe("https://mirror.example/mojang");
    }
    for (const url of ["https://a/?b", "https://a/#b", "https://a:b@c/", "ftp://a", "a"]) {
      expect(
        problemsOf(() => read(url)),
        url,
      ).toHaveLength(1);
    }
  });

  test.each(["PALISADE_SESSION_SERVER_URL", "PALISADE_API_URL", "PALISADE_PUBLIC_URL"] as const)(
    "in production %s must be https or on this machine, and the error says so",
    (name) => {
      const read = (url: string, PALISADE_ENV = "production") =>
        readSettings({ PALISADE_ENV, [name]: url }, [name]);
      for (const url of ["https://a.example", "http://127.0.0.1:81", "http://[::1]/x"]) {
        expect(
          problemsOf(() => read(url)),
          url,
        ).toEqual([]);
      }
      for (const url of ["http://a.example", "http://127.0.0.1.a.example", "http://10.0.0.1"]) {
        expect(problemsOf(() => read(url))).toEqual([
          `${name} must be an https URL in production, or http on this machine (127.0.0.1, [::1] or localhost)`,
        ]);
        expect(problemsOf(() => read(url, "development"))).toEqual([]);
      }
    },
  );

  test.each(["PALISADE_API_URL", "PALISADE_PUBLIC_URL"] as const)(
    "%s is http or https, in development too",
    (name) => {
      for (const url of [
        "javascript:alert(1)//",
        "data:text/html,x",
        "file:///etc/passwd",
        "ftp://a.example",
        "https://user:password@a.example",
        "https://a.example/?next=x",
        "a.example",
      ]) {
        const problems = problemsOf(() => readSettings({ [name]: url }, [name]));
        expect(problems, url).toHaveLength(1);
        expect(problems[0]).toMatch(new RegExp(`^${name} must be a`));
      }
    },
  );

  test.each(["DATABASE_URL", "DATABASE_MIGRATE_URL"] as const)(
    "in production %s on another machine must be encrypted, with a certificate that is checked",
    (name) => {
      const read = (url: string, PALISADE_ENV = "production") =>
        readSettings({ PALISADE_ENV, [name]: url }, [name]);
      for (const url of [
        "postgres://a:b@127.0.0.1/db",
        "postgres://a:b@[::1]:5432/db",
        "postgres://a@localhost/db?host=/run/palisade",
        "postgres://a:b@db.example/db?sslmode=verify-full&sslrootcert=/etc/ca.pem",
      ]) {
        expect(
          problemsOf(() => read(url)),
          url,
        ).toEqual([]);
      }
      for (const url of [
        "postgres://a:secret@db.example/db",
        "postgres://a:secret@db.example/db?sslmode=require&uselibpqcompat=true",
        "postgres://a:secret@db.example/db?sslmode=no-verify",
        "postgres://a:secret@127.0.0.1/db?host=db.example",
        "postgres://a:secret@10.0.0.1/db?ssl=true",
      ]) {
        const problems = problemsOf(() => read(url));
        expect(problems, url).toEqual([expect.stringContaining("sslmode=verify-full")]);
        expect(problems.join()).not.toContain("secret");
        expect(problemsOf(() => read(url, "development"))).toEqual([]);
      }
    },
  );

  test("in production mails to another machine cannot be sent without encryption", () => {
    const read = (SMTP_URL: string) =>
      readSettings({ PALISADE_ENV: "production", SMTP_URL }, ["SMTP_URL"]);
    for (const url of ["smtp://a:b@mail.example:587", "smtp://127.0.0.1:25?ignoreTLS=true"]) {
      expect(
        problemsOf(() => read(url)),
        url,
      ).toEqual([]);
    }
    for (const option of [
      "requireTLS=false",
      "requireTLS=0",
      "ignoreTLS=true",
      "ignoreTLS=1",
      "opportunisticTLS=yes",
      "tls.rejectUnauthorized=false",
      "requireTLS=true&requireTLS=false",
    ]) {
      expect(problemsOf(() => read(`smtp://a:b@mail.example?${option}`))).toEqual([
        `SMTP_URL must not switch encryption off by ${option.split("=")[0]} in production`,
      ]);
    }
  });

  test.each(["-1", "65536", "1.5", "1e9"])("port %s is refused", (port) => {
    expect(
      problemsOf(() => readSettings({ PALISADE_JAVA_PORT: port }, ["PALISADE_JAVA_PORT"])),
    ).toHaveLength(1);
  });

  test("a range of ports is parsed, and an invalid one is refused", () => {
    const names = ["PALISADE_OTHER_PORTS"] as const;
    const read = (value: string) => readSettings({ PALISADE_OTHER_PORTS: value }, names);
    expect(read("30000-30199").PALISADE_OTHER_PORTS).toEqual({ first: 30_000, last: 30_199 });
    for (const value of ["30000", "0-10", "10-9", "1-65536", "a-b", "1-2-3"]) {
      expect(problemsOf(() => read(value))).toHaveLength(1);
    }
  });

  test("the ports of Bedrock are the usual ones, unless they are set", () => {
    const names = ["PALISADE_BEDROCK_PORT", "PALISADE_BEDROCK_PORTS"] as const;
    expect(readSettings({}, names)).toEqual({
      PALISADE_BEDROCK_PORT: 19_132,
      PALISADE_BEDROCK_PORTS: { first: 20_000, last: 29_999 },
    });
  });

  test("proxies are named by address or CIDR range", () => {
    const read = (value: string) =>
      readSettings({ PALISADE_PROXY_TRUSTED: value }, ["PALISADE_PROXY_TRUSTED"]);
    expect(read(" 192.0.2.1, 10.0.0.0/8,2001:db8::/32 ").PALISADE_PROXY_TRUSTED).toEqual([
      "192.0.2.1",
      "10.0.0.0/8",
      "2001:db8::/32",
    ]);
    expect(read("").PALISADE_PROXY_TRUSTED).toEqual([]);
    for (const wrong of ["10.0.0.0/33", "::/129", "10.0.0/8", "proxy.example.com", "10.0.0.0/"]) {
      expect(
        problemsOf(() => read(wrong)),
        wrong,
      ).toHaveLength(1);
    }
  });

  test.each([
    ["192.0.2.1:53", { host: "192.0.2.1", port: 53 }],
    ["[2001:db8::1]:5353", { host: "2001:db8::1", port: 5353 }],
    ["ns.provider.test:53", { host: "ns.provider.test", port: 53 }],
  ])("server %s is parsed", (value, parts) => {
    const environment = { PALISADE_DNS_UPDATE_SERVER: value };
    expect(
      readSettings(environment, ["PALISADE_DNS_UPDATE_SERVER"]).PALISADE_DNS_UPDATE_SERVER,
    ).toEqual(parts);
  });

  test.each(["192.0.2.1", "192.0.2.1:0", "192.0.2.1:65536", "2001:db8::1:53", ":53"])(
    "server %s is refused",
    (value) => {
      const environment = { PALISADE_DNS_UPDATE_SERVER: value };
      expect(
        problemsOf(() => readSettings(environment, ["PALISADE_DNS_UPDATE_SERVER"])),
      ).toHaveLength(1);
    },
  );

  test("a key is parsed, and a wrong one is not printed", () => {
    const secret = "A".repeat(43);
    const names = ["PALISADE_DNS_UPDATE_KEY"] as const;
    expect(readSettings({ PALISADE_DNS_UPDATE_KEY: `export.test.:${secret}=` }, names)).toEqual({
      PALISADE_DNS_UPDATE_KEY: { name: "export.test", secret: `${secret}=` },
    });
    for (const value of [
      secret,
      `:${secret}=`,
      "name:c2hvcnQ=",
      `name:${secret}!`,
      `a..b:${secret}=`,
    ]) {
      const problems = problemsOf(() => readSettings({ PALISADE_DNS_UPDATE_KEY: value }, names));
      expect(problems).toHaveLength(1);
      expect(problems.join()).not.toContain(value);
    }
  });

  test("downloads of lists are parsed, and refused without encryption or with another path", () => {
    const read = (value: string) =>
      readSettings({ PALISADE_VPN_SOURCES: value }, ["PALISADE_VPN_SOURCES"]).PALISADE_VPN_SOURCES;
    expect(read("a.txt=https://lists.test/a?b=c, asn.mmdb=http://127.0.0.1:1/")).toEqual([
      { file: "a.txt", url: "https://lists.test/a?b=c" },
      { file: "asn.mmdb", url: "http://127.0.0.1:1/" },
    ]);
    expect(read("")).toEqual([]);
    for (const wrong of [
      "https://lists.test/a",
      "a.txt",
      "a.txt=http://lists.test/secret",
      "../a.txt=https://lists.test/",
      ".a.txt=https://lists.test/",
      "a.json=https://lists.test/",
      "a.txt=file:///etc/passwd",
    ]) {
      const problems = problemsOf(() => read(wrong));
      expect(problems, wrong).toHaveLength(1);
      expect(problems.join()).not.toContain("secret");
    }
  });

  test("production refuses development defaults of required settings", () => {
    const problems = problemsOf(() => readSettings({ PALISADE_ENV: "production" }, names));
    const required = names.filter((name) => "requiredInProduction" in settings[name]);
    expect(problems).toHaveLength(required.length);
    for (const name of required)
      expect(problems.join("\n")).toContain(`${name} must be set in production`);
  });

  test("production refuses failpoints", () => {
    const problems = problemsOf(() =>
      readSettings({ PALISADE_ENV: "production", PALISADE_FAILPOINTS: "x" }, [
        "PALISADE_FAILPOINTS",
      ]),
    );
    expect(problems).toEqual(["PALISADE_FAILPOINTS must not be set in production"]);
  });
});
