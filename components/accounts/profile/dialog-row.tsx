"use client";

import { useTranslations } from "next-intl";
import { type ComponentProps, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ProfileRow } from "./profile-row";

type Props = Omit<ComponentProps<typeof ProfileRow>, "action"> & {
  /** The props of the button that opens the dialog. */
  button: ComponentProps<typeof Button>;
  title: string;
  children: (close: () => void) => ReactNode;
};

/** A row of the profile with a button that opens a dialog. */
export function DialogRow({ button, title, children, ...row }: Props) {
  const t = useTranslations("accounts.profile");
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <div>
      <ProfileRow {...row} action={<Button look="quiet" {...button} onClick={() => setOpen(true)} />} />
      <Dialog open={open} onClose={close} title={title} closeLabel={t("close")}>
        {children(close)}
      </Dialog>
    </div>
  );
}
