import { TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { addFirewallEntryBody } from "@palisade/contract/http/firewall";
import { entryNoteMax } from "@palisade/contract/http/firewall-entry";
import { useRef } from "react";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { AllowedNameNote, BlockedNameNote } from "../block/name-notes.tsx";
import { EndField } from "./end-field.tsx";
import { chosenEnd, type EndChoice } from "./entry-end.ts";
import type { ListType } from "./firewall-diff.ts";
import classes from "./firewall.module.css";
import type { useEntries } from "./use-entries.ts";

const schema = addFirewallEntryBody.pick({ ip: true, note: true });

interface Values extends Record<string, unknown> {
  readonly ip: string;
  readonly note: string;
  readonly lasts: EndChoice;
  readonly expires_at: string;
}

const empty: Values = { ip: "", note: "", lasts: "always", expires_at: "" };

interface AddEntryProps {
  readonly list: ListType;
  readonly add: ReturnType<typeof useEntries>["add"];
}

export function AddEntry({ list, add }: AddEntryProps) {
  const { t } = useLingui();
  const { form, field, submit, placeIssues } = useContractForm(schema, empty);

  const place = useRef<HTMLFormElement>(null);
  // `isPending` is set too late for two quick presses of Enter.
  const isSending = useRef(false);

  function send({ ip, note, lasts, expires_at: date }: Values) {
    if (isSending.current) return;
    isSending.current = true;
    const expires_at = chosenEnd(lasts, date, new Date()) ?? null;
    add.mutate(
      { ip: ip.trim(), note, expires_at },
      {
        onSettled: () => {
          isSending.current = false;
        },
        onSuccess: () => {
          form.reset();
          // Focus the field for the next entry, unless the user has moved on.
          if (place.current?.contains(document.activeElement)) {
            place.current.querySelector("input")?.focus();
          }
        },
        onError: (error) => {
          const text = errorText(error, t`Error updating firewall settings`);
          const issues = fieldIssues(error);
          const placed = Object.keys(issues).length > 0 ? issues : { ip: text };
          if (!placeIssues(placed)) toast("error", text);
        },
      },
    );
  }

  const end = field("expires_at");
  return (
    <form
      ref={place}
      className={classes["add"]}
      noValidate
      onSubmit={(event) => submit(send)(event)}
    >
      <div className={classes["fields"]}>
        <TextInput
          {...field("ip")}
          label={list === "blacklist" ? t`Address or name to block` : t`Address or name to allow`}
          placeholder="203.0.113.0/24, Steve"
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: "mono" }}
        />
        <TextInput
          {...field("note")}
          label={t`Note`}
          placeholder={t`Only you and your team see it`}
          autoComplete="off"
          maxLength={entryNoteMax}
        />
        <EndField
          choice={form.values.lasts}
          date={form.values.expires_at}
          error={end.error}
          onChoice={(lasts) => form.setFieldValue("lasts", lasts)}
          onDate={(date) => form.setFieldValue("expires_at", date)}
        />
        <ActionButton
          type="submit"
          loading={add.isPending}
          // The second half of a double click would find the field empty.
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          <Trans>Add</Trans>
        </ActionButton>
      </div>
      <p className={classes["hint"]}>
        <Trans>An IP address, a range in CIDR form or a player's name.</Trans>{" "}
        {list === "blacklist" ? <BlockedNameNote /> : <AllowedNameNote />}
      </p>
    </form>
  );
}
