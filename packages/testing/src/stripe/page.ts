import type { Session } from "./objects.ts";
import type { StripeState } from "./state.ts";

export interface PageAnswer {
  readonly status: number;
  /** Undefined: the browser is sent to `location`. */
  readonly html?: string;
  readonly location?: string;
}

/** The buttons of the hosted page; `challenge` shows the bank's page first. */
const buttons = {
  payment: [
    ["pay", "Pay"],
    ["challenge", "Pay with 3-D Secure"],
    ["declined", "Pay with a declined card"],
    ["debit", "Pay by bank debit"],
  ],
  setup: [
    ["save", "Save card"],
    ["challenge", "Save card with 3-D Secure"],
  ],
} as const;

/** The hosted Checkout page, as a browser sees it. */
export function answerPage(state: StripeState, id: string, action: string | undefined): PageAnswer {
  if (!state.sessions.has(id)) return { status: 404, html: page("Not found", "<p>Not found</p>") };
  const session = state.session(id);
  if (action === "cancel") return { status: 303, location: session.cancel_url ?? "/" };
  if (session.status !== "open") {
    const text = session.status === "complete" ? "You have paid." : "This page has expired.";
    return { status: 200, html: page("Checkout", `<p id="outcome">${text}</p>`) };
  }
  if (action === "challenge") return { status: 200, html: challengePage() };
  if (action === undefined) return { status: 200, html: checkoutPage(session) };
  const error = act(state, session, action);
  if (error !== null) return { status: 200, html: checkoutPage(session, error) };
  const location = (session.success_url ?? "/").replace("{CHECKOUT_SESSION_ID}", id);
  return { status: 303, location };
}

function act(state: StripeState, session: Session, action: string): string | null {
  switch (action) {
    case "pay":
      return state.pay(session.id, "card");
    case "approve":
      if (session.mode === "payment") return state.pay(session.id, "card");
      state.saveCard(session.id, {}, "wants authentication");
      return null;
    case "debit":
      return state.pay(session.id, "bank debit");
    case "declined":
      return state.pay(session.id, "declined card");
    case "save":
      state.saveCard(session.id);
      return null;
    default:
      return "We are unable to authenticate your payment method.";
  }
}

function checkoutPage(session: Session, error?: string): string {
  const amount = ((session.amount_total ?? 0) / 100).toFixed(2);
  const shown = buttons[session.mode === "setup" ? "setup" : "payment"]
    .map(([action, label]) => `<button name="action" value="${action}">${label}</button>`)
    .join("\n");
  return page(
    "Checkout",
    `${session.mode === "setup" ? "" : `<p id="amount">€${amount}</p>`}
${error === undefined ? "" : `<p role="alert">${error}</p>`}
<form method="post">${shown}
<button name="action" value="cancel">Cancel</button></form>`,
  );
}

function challengePage(): string {
  return page(
    "Your bank",
    `<p>Your bank wants to know that it is you.</p>
<form method="post"><button name="action" value="approve">Approve</button>
<button name="action" value="refuse">Refuse</button></form>`,
  );
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Stripe stand-in</title></head>
<body><main><h1>${title}</h1>${content}</main></body></html>`;
}
