import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "#src/lib/paths.ts";

interface ContactSupportProps {
  readonly category: "billing" | "technical" | "sales";
  readonly subject: string;
  /** The shield that the question is about. */
  readonly shieldId?: string;
  /** In a sentence, the words of the link. */
  readonly children?: ReactNode;
}

/** Leads to a new ticket that says already what is known here. */
export function ContactSupport({ category, subject, shieldId, children }: ContactSupportProps) {
  return (
    <Link
      to={paths.support}
      search={{ new: category, subject, ...(shieldId === undefined ? {} : { server: shieldId }) }}
    >
      {children ?? <Trans>Contact support</Trans>}
    </Link>
  );
}
