import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { addDomainBody, type ShieldDomain } from "@palisade/contract/http/domains";
import { normalizeClaim } from "@palisade/contract/http/servers";
import { useId, useState } from "react";
import { useAvailability } from "#src/api/domain-checks.ts";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { DomainAvailability } from "#src/ui/domain-availability.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { FieldError } from "#src/ui/field-error.tsx";
import { toast } from "#src/ui/toasts.tsx";
import classes from "./domains.module.css";
import type { DomainChanges } from "./use-domains.ts";
import { WildcardProof } from "./wildcard-proof.tsx";

interface AddDomainDialogProps {
  readonly cname: string;
  readonly add: DomainChanges["add"];
  readonly onClose: () => void;
  readonly onAdded: (domain: ShieldDomain) => void;
}

export function AddDomainDialog({ cname, add, onClose, onAdded }: AddDomainDialogProps) {
  const { t } = useLingui();
  const id = useId();
  /** The wildcard whose parent was proven here; its proof stays on screen. */
  const [proven, setProven] = useState<string | null>(null);
  const { form, field, submit, placeIssues } = useContractForm(addDomainBody, { domain: "" });
  const typed = form.values.domain;
  const { name, free, isChecking, error: refused } = useAvailability(typed, normalizeClaim);
  const { error: ownError, ...input } = field("domain");
  const fallback = t`Error checking domain availability`;
  const checkError =
    refused === null ? undefined : (fieldIssues(refused)["domain"] ?? errorText(refused, fallback));
  const error = ownError ?? checkError;

  function send(domain: string) {
    add.mutate(domain, {
      onSuccess: ({ data }) => onAdded(data.domain),
      onError: (failure) => {
        const text = errorText(failure, t`Failed to add domain`);
        if (!placeIssues({ domain: text, ...fieldIssues(failure) })) toast("error", text);
      },
    });
  }

  const isWildcard = name?.startsWith("*.") ?? false;
  const isProof = isWildcard && (error !== undefined || proven === name);
  return (
    <Dialog
      opened
      title={t`Add domain`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton type="submit" form={id} loading={add.isPending}>
            <Trans>Add domain</Trans>
          </ActionButton>
        </>
      }
    >
      <form
        id={id}
        noValidate
        className={classes["fields"]}
        onSubmit={submit(({ domain }) => send(domain.trim()))}
      >
        <TextInput
          {...input}
          error={error ? <FieldError text={error} /> : undefined}
          label={t`Domain`}
          description={t`The address players type. Start with *. to cover every subdomain.`}
          placeholder="play.example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          classNames={{ input: "mono" }}
        />
        <DomainAvailability
          name={name}
          free={free}
          isChecking={isChecking}
          isRefused={error !== undefined}
        />
        {isProof && name !== null ? (
          <WildcardProof
            key={name}
            wildcard={name}
            cname={cname}
            onProven={() => {
              setProven(name);
              form.clearErrors();
            }}
          />
        ) : null}
      </form>
    </Dialog>
  );
}
