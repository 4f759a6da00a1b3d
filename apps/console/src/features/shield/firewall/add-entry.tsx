import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { addFirewallEntryBody } from "@palisade/contract/http/firewall";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/form.ts";
import { toast } from "#src/ui/toasts.tsx";
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

  function send(ip: string) {
    add.mutate(ip, {
      onSuccess: () => form.reset(),
      onError: (error) => {
        const text = errorText(error, t`Error updating firewall settings`);
        if (!placeIssues({ ip: text, ...fieldIssues(error) })) toast("error", text);
      },
    });
  }

  return (
    <form className={classes["add"]} noValidate onSubmit={submit(({ ip }) => send(ip.trim()))}>
      <TextInput
        {...field("ip")}
        aria-label={list === "blacklist" ? t`Address to block` : t`Address to allow`}
        placeholder="203.0.113.5 / 203.0.113.0/24 / 2001:db8::/32"
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: "mono" }}
      />
      <Button type="submit" loading={add.isPending}>
        <Trans>Add</Trans>
      </Button>
    </form>
  );
}
