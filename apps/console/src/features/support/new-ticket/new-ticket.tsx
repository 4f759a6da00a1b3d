import { Trans } from "@lingui/react/macro";
import { IconArrowLeft } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { paths } from "#src/lib/paths.ts";
import { PageHead } from "#src/ui/page-head.tsx";
import type { SupportSearch } from "../support-search.ts";
import classes from "../support.module.css";
import { AnswerTime } from "./answer-time.tsx";
import { linkOf } from "./new-ticket-draft.ts";
import { NewTicketForm } from "./new-ticket-form.tsx";
import { SuggestedArticles } from "./suggested-articles.tsx";

/** The form of a new ticket, with articles that may answer the question at once. */
export function NewTicket({ search }: { search: SupportSearch }) {
  const [question, setQuestion] = useState({ subject: "", serverId: "" });
  return (
    <>
      <Link to={paths.support} search={{}} className={classes["back"]}>
        <IconArrowLeft size={15} stroke={1.8} aria-hidden="true" />
        <Trans>Support</Trans>
      </Link>
      <PageHead title={<Trans>New ticket</Trans>} />
      <div className={classes["columns"]}>
        <NewTicketForm key={linkOf(search)} search={search} onQuestion={setQuestion} />
        <div className={classes["beside"]}>
          <SuggestedArticles subject={question.subject} serverId={question.serverId} />
          <AnswerTime />
        </div>
      </div>
    </>
  );
}
