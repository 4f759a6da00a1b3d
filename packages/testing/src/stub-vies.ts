import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

/** `unavailable`: the member state does not answer VIES. `silent` never answers; the others answer wrongly. */
export type ViesFault = "unavailable" | "error" | "silent" | "garbage" | "endless";

export interface StubVies {
  /** In place of `https://ec.europa.eu/taxation_customs/vies/rest-api`. */
  readonly url: string;
  /** Registered ids with their prefix, and the names that member states tell. */
  registered: Readonly<Record<string, string>>;
  fault: ViesFault | undefined;
  readonly asked: readonly ViesQuestion[];
  close(): Promise<void>;
}

const viesQuestion = z.strictObject({
  countryCode: z.string().regex(/^[A-Z]{2}$/),
  vatNumber: z.string().regex(/^[A-Z0-9+*]{2,12}$/),
  requesterMemberStateCode: z.string().regex(/^[A-Z]{2}$/),
  requesterNumber: z.string().regex(/^[A-Z0-9+*]{2,12}$/),
});

export type ViesQuestion = z.infer<typeof viesQuestion>;

/**
 * The REST interface of VIES, `POST /check-vat-number`: its fields, its errors of member states, and the
 * `---` it answers where a state tells no name.
 *
 * @example
 * const vies = await startStubVies();
 * vies.registered = { ATU12345678: "Beispiel GmbH" };
 * vies.fault = "unavailable";
 */
export async function startStubVies(): Promise<StubVies> {
  const asked: ViesQuestion[] = [];
  const state: Pick<StubVies, "registered" | "fault"> = { registered: {}, fault: undefined };
  const server = createServer((request, response) => {
    void answer(request, response, state, asked).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { registered, fault }: Pick<StubVies, "registered" | "fault">,
  asked: ViesQuestion[],
): Promise<void> {
  if (request.method !== "POST" || request.url !== "/check-vat-number") {
    response.writeHead(404).end();
    return;
  }
  const question = viesQuestion.safeParse(JSON.parse(await bodyOf(request)));
  if (!question.success) return send(response, 400, failure("INVALID_INPUT"));
  const { countryCode, vatNumber } = question.data;
  asked.push(question.data);
  switch (fault) {
    case "silent":
      return;
    case "unavailable":
      return send(response, 200, failure("MS_UNAVAILABLE"));
    case "error":
      return send(response, 500, failure("SERVICE_UNAVAILABLE"));
    case "garbage":
      response.writeHead(200, { "content-type": "text/html" }).end("<html>maintenance</html>");
      return;
    case "endless":
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ valid: true, name: "x".repeat(1_000_000) }));
      return;
    case undefined: {
      const name = registered[`${countryCode}${vatNumber}`];
      return send(response, 200, {
        countryCode,
        vatNumber,
        requestDate: "2026-11-24T12:00:00.000Z",
        valid: name !== undefined,
        requestIdentifier: name === undefined ? "" : `WAPIAAAA${asked.length}`,
        name: name === undefined || name === "" ? "---" : name,
        address: "---",
        traderName: "---",
        traderStreet: "---",
        traderPostalCode: "---",
        traderCity: "---",
        traderCompanyType: "---",
        traderNameMatch: "NOT_PROCESSED",
        traderStreetMatch: "NOT_PROCESSED",
        traderPostalCodeMatch: "NOT_PROCESSED",
        traderCityMatch: "NOT_PROCESSED",
        traderCompanyTypeMatch: "NOT_PROCESSED",
      });
    }
  }
}

function failure(error: string): object {
  return { actionSucceed: false, errorWrappers: [{ error }] };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString("utf8");
}
