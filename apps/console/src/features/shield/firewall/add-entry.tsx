import { TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { addFirewallEntryBody } from "@palisade/contract/http/firewall";
import { useRef } from "react";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { AllowedNameNote, BlockedNameNote } from "../block/name-notes.tsx";
import type { ListType } from "./firewall-diff.ts";
import classes from "./firewall.module.css";
import type { useEntries } from "./use-entries.ts";

const schema = addFirewallEntryBody.pick({ ip: true });

interface AddEntryProps {
  readonly list: ListType;
  readonly add: ReturnType<typeof useEntries>["add"];
}

export function AddEntry({ list, add }: AddEntryProps) {
  const { t } = useLingui();
  const { form, field, submit, placeIssues } = useContractForm(schema, { ip: "" });

  const place = useRef<HTMLFormElement>(null);
  // `isPending` is set too late for two quick presses of Enter.
  const isSending = useRef(false);

  function send(ip: string) {
    if (isSending.current) return;
    isSending.current = true;
    add.mutate(ip, {
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
        if (!placeIssues({ ip: text, ...fieldIssues(error) })) toast("error", text);
      },
    });
  }

  return (
    <form
      ref={place}
      className={classes["add"]}
      noValidate
      onSubmit={(event) => submit(({ ip }) => send(ip.trim()))(event)}
    >
      <TextInput
        {...field("ip")}
        aria-label={
          list === "blacklist" ? t`Address or name to block` : t`Address or name to allow`
        }
        description={
          <>
            <Trans>An IP address, a range in CIDR form or a player's name.</Trans>{" "}
            {list === "blacklist" ? <BlockedNameNote /> : <AllowedNameNote />}
          </>
        }
        inputWrapperOrder={["input", "error", "description"]}
        placeholder="203.0.113.0/24, Steve"
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: "mono", description: classes["hint"] ?? "" }}
      />
      <ActionButton
        type="submit"
        loading={add.isPending}
        // The second half of a double click would find the field empty.
        onClick={(event) => event.detail > 1 && event.preventDefault()}
      >
        <Trans>Add</Trans>
      </ActionButton>
    </form>
  );
}
