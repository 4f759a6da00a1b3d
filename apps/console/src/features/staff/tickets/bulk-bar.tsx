import { Button, NativeSelect, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { changeStaffTickets } from "@palisade/contract/http/staff-tickets";
import { cleanTag, tagCharactersMax, tagPattern } from "@palisade/contract/http/ticket-tags";
import type { CallInput } from "@palisade/contract/http/client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { queryClient } from "#src/api/query-client.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import classes from "./tickets.module.css";

interface BulkBarProps {
  readonly ids: readonly string[];
  readonly colleagues: readonly { readonly id: string; readonly name: string }[];
  readonly onDone: () => void;
}

type Action = CallInput<typeof changeStaffTickets>["body"]["action"];

/** Actions on all the chosen tickets. */
export function BulkBar({ ids, colleagues, onDone }: BulkBarProps) {
  const { t } = useLingui();
  const [tag, setTag] = useState("");
  const count = ids.length;
  const cleaned = cleanTag(tag);
  const act = useMutation({
    mutationFn: async (action: Action) =>
      (await call(changeStaffTickets, { body: { ids: [...ids], action } })).data.message,
    onSuccess: async (message) => {
      toast("success", message);
      onDone();
      await queryClient.invalidateQueries({ queryKey: ["staff"] });
    },
    onError: (error) => toastError(error, t`The tickets could not be changed`),
  });
  return (
    <div className={classes["bulk"]} role="toolbar" aria-label={t`Chosen tickets`}>
      <span className={classes["chosen"]}>
        <Trans>Chosen: {count}</Trans>
      </span>
      <NativeSelect
        size="xs"
        aria-label={t`Assign the chosen tickets`}
        value=""
        data={[
          { value: "", label: t`Assign to…` },
          { value: "none", label: t`No one` },
          ...colleagues.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (value === "") return;
          act.mutate({ kind: "assign", assignee_id: value === "none" ? null : value });
        }}
      />
      <form
        className={classes["bulkTag"]}
        onSubmit={(event) => {
          event.preventDefault();
          if (tagPattern.test(cleaned)) act.mutate({ kind: "tag", tag: cleaned });
        }}
      >
        <TextInput
          size="xs"
          aria-label={t`Tag for the chosen tickets`}
          placeholder={t`Tag`}
          maxLength={tagCharactersMax}
          value={tag}
          onChange={({ currentTarget }) => setTag(currentTarget.value)}
        />
        <ActionButton size="xs" variant="default" type="submit" loading={act.isPending}>
          <Trans>Add tag</Trans>
        </ActionButton>
      </form>
      <ActionButton
        size="xs"
        variant="default"
        loading={act.isPending}
        onClick={() => act.mutate({ kind: "close" })}
      >
        <Trans>Close tickets</Trans>
      </ActionButton>
      <Button size="xs" variant="subtle" onClick={onDone}>
        <Trans>Choose none</Trans>
      </Button>
    </div>
  );
}
