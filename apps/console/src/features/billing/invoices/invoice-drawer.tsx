import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Invoice } from "@palisade/contract/http/invoices";
import { locales, type Locale } from "@palisade/contract/texts/locale";
import { IconDownload } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useLocale } from "#src/lib/preferences.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { InvoiceDetails } from "./invoice-details.tsx";
import { invoiceQuery, savePdf } from "./invoices.queries.ts";
import { kindLabels } from "./labels.ts";
import classes from "./invoices.module.css";

interface InvoiceDrawerProps {
  readonly id: string;
  /** Opens another document in its place. */
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
}

/** One document in full, with its PDF in both languages. */
export function InvoiceDrawer({ id, onOpen, onClose }: InvoiceDrawerProps) {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const { data: invoice, error, isPending, refetch } = useQuery(invoiceQuery(id));
  const languages = locales.toSorted((a, b) => Number(b === locale) - Number(a === locale));
  return (
    <Dialog
      opened
      drawer
      title={invoice ? `${i18n._(kindLabels[invoice.kind])} ${invoice.number}` : t`Document`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
          {invoice
            ? languages.map((language, index) => (
                <PdfButton
                  key={language}
                  invoice={invoice}
                  language={language}
                  isFirst={index === 0}
                />
              ))
            : null}
        </>
      }
    >
      {isPending ? (
        <LoadingRegion className={classes["waiting"]}>
          <Skeleton height={90} radius={8} />
          <Skeleton height={140} radius={8} />
          <Skeleton height={120} radius={8} />
        </LoadingRegion>
      ) : invoice ? (
        <InvoiceDetails invoice={invoice} onOpen={onOpen} />
      ) : (
        <ErrorState
          error={error}
          title={t`Error fetching the document`}
          onRetry={() => void refetch()}
        />
      )}
    </Dialog>
  );
}

/** In their own words, so that each is found in every language of the console. */
const languageNames: Readonly<Record<Locale, string>> = { en: "English", ru: "Русский" };

interface PdfButtonProps {
  readonly invoice: Pick<Invoice, "id" | "number">;
  readonly language: Locale;
  readonly isFirst: boolean;
}

function PdfButton({ invoice, language, isFirst }: PdfButtonProps) {
  const { t } = useLingui();
  const save = useMutation({
    mutationFn: () => savePdf(invoice, language),
    onError: (error) => toastError(error, t`Failed to download file`),
  });
  return (
    <ActionButton
      lang={language}
      {...(isFirst ? {} : { variant: "default" })}
      leftSection={<IconDownload size={16} stroke={1.6} />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      {`PDF · ${languageNames[language]}`}
    </ActionButton>
  );
}
