import { randomBytes } from "node:crypto";

/** An answer of the stand-in: a status and a body as PayPal sends them. */
export interface PaypalAnswer {
  readonly status: number;
  readonly body: object;
}

export function problem(
  status: number,
  name: string,
  message: string,
  details: readonly { readonly issue: string; readonly description: string }[] = [],
): PaypalAnswer {
  return {
    status,
    body: {
      name,
      message,
      debug_id: randomBytes(7).toString("hex").slice(0, 13),
      details,
      links: [
        {
          href: `https://developer.paypal.com/docs/api/orders/v2/#error-${name}`,
          rel: "information_link",
        },
      ],
    },
  };
}

export function notFound(): PaypalAnswer {
  return problem(404, "RESOURCE_NOT_FOUND", "The specified resource does not exist.", [
    {
      issue: "INVALID_RESOURCE_ID",
      description:
        "Specified resource ID does not exist. Please check the resource ID and try again.",
    },
  ]);
}

export function unprocessable(issue: string, description: string): PaypalAnswer {
  return problem(
    422,
    "UNPROCESSABLE_ENTITY",
    "The requested action could not be performed, semantically incorrect, or failed business validation.",
    [{ issue, description }],
  );
}

export function malformed(field: string): PaypalAnswer {
  return problem(
    400,
    "INVALID_REQUEST",
    "Request is not well-formed, syntactically incorrect, or violates schema.",
    [{ issue: "MISSING_REQUIRED_PARAMETER", description: `A required field is missing: ${field}` }],
  );
}
