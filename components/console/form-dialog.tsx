import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useId } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";

type Props = {
  title: string;
  /** the text of the button that sends the form */
  submit: string;
  danger?: boolean;
  pending: boolean;
  /** why the last try failed; empty: it did not */
  problem: string;
  onSubmit: (event: FormEvent<HTMLFormElement>) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
};

/** A dialog with a form, its problem below the fields, and buttons that cancel and send it. */
export function FormDialog({
  title,
  submit,
  danger = false,
  pending,
  problem,
  onSubmit,
  onClose,
  children,
}: Props) {
  const t = useTranslations("console.table");
  const id = useId();
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      closeLabel={t("close")}
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" form={id} look={danger ? "danger" : "primary"} pending={pending}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={id} className="flex flex-col gap-4" onSubmit={(event) => void onSubmit(event)}>
        {children}
        <ErrorNotice>{problem}</ErrorNotice>
      </form>
    </Dialog>
  );
}
