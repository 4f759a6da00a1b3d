import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { CannedReply } from "@palisade/contract/http/canned-replies";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "#src/ui/dialog.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { cannedQuery } from "./tickets.queries.ts";
import classes from "./tickets.module.css";

interface CannedPickerProps {
  readonly onPick: (reply: CannedReply) => void;
  readonly onClose: () => void;
}

/** Finds a canned reply by its title or text; Enter takes the first. */
export function CannedPicker({ onPick, onClose }: CannedPickerProps) {
  const { t } = useLingui();
  const query = useQuery(cannedQuery);
  const [typed, type] = useState("");
  const wanted = typed.trim().toLowerCase();
  const found = (query.data ?? []).filter(({ title, body_en, body_ru }) =>
    [title, body_en, body_ru].some((text) => text.toLowerCase().includes(wanted)),
  );
  const [first] = found;
  return (
    <Dialog
      opened
      title={t`Insert a canned reply`}
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      }
    >
      <div className={classes["form"]}>
        <TextInput
          aria-label={t`Find a canned reply`}
          placeholder={t`Title or text`}
          data-autofocus
          value={typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || first === undefined) return;
            // Else the line break would be typed into the reply, which gets the focus.
            event.preventDefault();
            onPick(first);
          }}
        />
        <QueryBoundary query={query} errorTitle={t`Error fetching canned replies`} compact>
          {() => (
            <ul className={classes["picks"]} aria-label={t`Canned replies`}>
              {found.map((reply) => (
                <li key={reply.id}>
                  <button type="button" onClick={() => onPick(reply)}>
                    <strong>{reply.title}</strong>
                    <span>{reply.body_en}</span>
                  </button>
                </li>
              ))}
              {found.length === 0 ? (
                <li className={classes["none"]}>
                  <Trans>No canned reply matches. Write them in the queue.</Trans>
                </li>
              ) : null}
            </ul>
          )}
        </QueryBoundary>
      </div>
    </Dialog>
  );
}
