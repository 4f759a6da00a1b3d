import { Textarea } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { msg } from "@lingui/core/macro";
import { ticketRoutes, type TicketDetail } from "@palisade/contract/http/tickets";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { changeTicket } from "../tickets.queries.ts";
import classes from "./ticket.module.css";

const scores = [
  { score: 1, label: msg`Bad` },
  { score: 2, label: msg`Not good` },
  { score: 3, label: msg`Okay` },
  { score: 4, label: msg`Good` },
  { score: 5, label: msg`Very good` },
];
const commentCharactersMax = 1_000;

/** Asks once how the help was, or shows what the user answered. */
export function Satisfaction({ ticket }: { ticket: TicketDetail }) {
  const { t, i18n } = useLingui();
  const { id, satisfaction: given } = ticket;
  const [score, setScore] = useState<number>();
  const [comment, setComment] = useState("");
  const rate = useMutation({
    mutationFn: (body: { score: number; comment: string }) =>
      call(ticketRoutes.rateTicket, { params: { id }, body }),
    onSuccess: ({ data }, body) => {
      toast("success", data.message);
      changeTicket(id, (held) => ({ ...held, satisfaction: body }));
    },
    onError: (error) => toastError(error, t`Error sending your answer`),
  });
  if (given !== null) {
    const label = scores.find((each) => each.score === given.score)?.label;
    const answer = label === undefined ? String(given.score) : i18n._(label);
    return (
      <p className={classes["rated"]}>
        <Trans>Your answer about our help: {answer}</Trans>
      </p>
    );
  }
  return (
    <Panel prominent title={t`How was our help?`} note={t`Your answer goes to our support team.`}>
      <form
        className={classes["rating"]}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (score !== undefined && !rate.isPending) rate.mutate({ score, comment });
        }}
      >
        <div className={classes["scores"]} role="radiogroup" aria-label={t`How was our help?`}>
          {scores.map((each) => (
            <label key={each.score} className={classes["score"]}>
              <input
                type="radio"
                name="score"
                value={each.score}
                checked={score === each.score}
                onChange={() => setScore(each.score)}
              />
              {i18n._(each.label)}
            </label>
          ))}
        </div>
        {score === undefined ? null : (
          <>
            <Textarea
              label={t`What could we do better? (optional)`}
              autosize
              minRows={2}
              maxRows={6}
              maxLength={commentCharactersMax}
              value={comment}
              onChange={({ currentTarget }) => setComment(currentTarget.value)}
            />
            <div className={classes["send"]}>
              <ActionButton type="submit" loading={rate.isPending}>
                <Trans>Send answer</Trans>
              </ActionButton>
            </div>
          </>
        )}
      </form>
    </Panel>
  );
}
