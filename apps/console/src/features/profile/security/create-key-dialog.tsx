import { Button, NativeSelect, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { createApiKey, createApiKeyBody } from "@palisade/contract/http/account";
import { IconAlertTriangle, IconKey } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { z } from "zod";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { createIdempotencyKeys } from "#src/api/idempotency.ts";
import { queryClient } from "#src/api/query-client.ts";
import { StepUpDeclined, withStepUp } from "#src/api/step-up.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { apiKeysQuery } from "../profile.queries.ts";
import { scopeLabels } from "./key-labels.ts";
import classes from "./security.module.css";

const lifetimesDays = [30, 90, 365];
const initial: { name: string; scope: "read" | "write"; lifetime: string } = {
  name: "",
  scope: "read",
  lifetime: "90",
};

/** Asks for name, scope and lifetime, then shows the key for the only time. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<string | null>(null);
  return made === null ? (
    <KeyForm onMade={setMade} onClose={onClose} />
  ) : (
    <MadeKey value={made} onClose={onClose} />
  );
}

function KeyForm({ onMade, onClose }: { onMade: (key: string) => void; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const formId = useId();
  const [keys] = useState(createIdempotencyKeys);
  const { field, submit, placeIssues } = useContractForm(
    createApiKeyBody.pick({ name: true, scope: true }),
    initial,
  );
  const create = useMutation({
    mutationFn: ({ name, scope, lifetime }: typeof initial) => {
      const days = lifetime === "" ? null : Number(lifetime);
      const body: z.input<typeof createApiKeyBody> = { name, scope, expires_in_days: days };
      const headers = { "idempotency-key": keys.begin(body) };
      return withStepUp(() => call(createApiKey, { body, headers }));
    },
    onSuccess: ({ data }) => {
      onMade(data.api_key);
      void queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
    },
    onError: (error) => void placeIssues(fieldIssues(error)),
  });
  const { error } = create;
  const isShownElsewhere = error instanceof StepUpDeclined || "name" in fieldIssues(error);
  return (
    <Dialog
      opened
      title={t`Create API key`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton type="submit" form={formId} loading={create.isPending}>
            <Trans>Create key</Trans>
          </ActionButton>
        </>
      }
    >
      <form
        id={formId}
        className={classes["form"]}
        noValidate
        onSubmit={submit((values) => create.mutate(values))}
      >
        <TextInput
          {...field("name")}
          label={t`Name`}
          placeholder={t`Discord bot`}
          autoComplete="off"
          maxLength={60}
        />
        <NativeSelect
          {...field("scope")}
          label={t`Rights`}
          data={[
            { value: "read", label: i18n._(scopeLabels.read) },
            { value: "write", label: i18n._(scopeLabels.write) },
          ]}
        />
        <NativeSelect
          {...field("lifetime")}
          label={t`Expires`}
          data={[
            ...lifetimesDays.map((days) => ({ value: String(days), label: t`In ${days} days` })),
            { value: "", label: t`Never` },
          ]}
        />
        {error === null || isShownElsewhere ? null : (
          <Banner
            tone="danger"
            live="assertive"
            icon={<IconAlertTriangle size={18} stroke={1.6} />}
          >
            {errorText(error, t`Failed to create API key`)}
          </Banner>
        )}
      </form>
    </Dialog>
  );
}

function MadeKey({ value, onClose }: { value: string; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog
      opened
      title={t`Your new API key`}
      actions={
        <Button onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      }
    >
      <div className={classes["form"]}>
        <Banner tone="attack" icon={<IconKey size={18} stroke={1.6} />}>
          <Trans>Copy it now. We store only a hash of it and cannot show it again.</Trans>
        </Banner>
        <div className={classes["secret"]}>
          <code className={classes["value"]}>{value}</code>
          <CopyButton value={value} label={t`Copy API key`} />
        </div>
      </div>
    </Dialog>
  );
}
