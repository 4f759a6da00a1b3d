import { tidyLine } from "@palisade/contract/http/tidy-line";
import { fetch } from "undici";
import { z } from "zod";

export interface VatIdQuestion {
  readonly prefix: string;
  /** Without the prefix. */
  readonly number: string;
  /** The seller asks: with its VAT id, VIES answers a number that proves the enquiry. */
  readonly requester: { readonly prefix: string; readonly number: string };
}

export interface VatIdAnswer {
  readonly isValid: boolean;
  readonly name: string | null;
  readonly reference: string | null;
}

/** Asks whether a VAT id is registered. Null: no answer now, try again later. */
export type AskVies = (question: VatIdQuestion) => Promise<VatIdAnswer | null>;

const timeoutMs = 10_000;
const answerBytesMax = 64 * 1024;

/** The REST interface of VIES, `POST /check-vat-number`. Failures of member states come with `valid` missing. */
const viesAnswer = z.object({
  valid: z.boolean(),
  name: z.string().nullish(),
  requestIdentifier: z.string().nullish(),
});

export function createViesClient(baseUrl: string): AskVies {
  return async ({ prefix, number, requester }) => {
    try {
      const response = await fetch(`${baseUrl}/check-vat-number`, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "Palisade" },
        body: JSON.stringify({
          countryCode: prefix,
          vatNumber: number,
          requesterMemberStateCode: requester.prefix,
          requesterNumber: requester.number,
        }),
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await readLimited(response.body);
      if (response.status !== 200 || text === null) return null;
      const parsed = viesAnswer.safeParse(JSON.parse(text));
      if (!parsed.success) return null;
      const { valid, name, requestIdentifier } = parsed.data;
      return { isValid: valid, name: lineOf(name), reference: lineOf(requestIdentifier) };
    } catch {
      return null;
    }
  };
}

/** Null where the answer is larger than any of VIES. */
async function readLimited(body: AsyncIterable<Uint8Array> | null): Promise<string | null> {
  if (body === null) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > answerBytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** VIES answers `---` where a member state does not tell. */
function lineOf(text: string | null | undefined): string | null {
  const line = tidyLine(text ?? "").slice(0, 200);
  return line === "" || line === "---" ? null : line;
}
