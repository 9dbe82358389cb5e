"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { usePictureUpload } from "@/components/catalog/editor/use-picture-upload";
import { Dialog } from "@/components/ui/dialog";
import { Emblem } from "@/components/ui/emblem";
import { Field } from "@/components/ui/field";
import { ErrorNotice } from "@/components/ui/notice";
import { useRequest } from "@/components/ui/use-call";
import type { PostPictures } from "@/lib/blog/console/contract";
import { postPictureSource } from "@/lib/blog/rules";
import { UPLOAD_TYPES } from "@/lib/catalog/images/rules";
import { api } from "@/lib/platform/api/client";

/** A picture of the shop. */
export type Picture = Pick<PostPictures["items"][number], "hash" | "width" | "height">;

/** Chooses one of the pictures that the shop has, or uploads one. */
export function PicturePicker({
  open,
  onClose,
  onChoose,
}: {
  open: boolean;
  onClose: () => void;
  onChoose: (picture: Picture) => void;
}) {
  const t = useTranslations("console.posts");
  return (
    <Dialog open={open} onClose={onClose} title={t("choose_picture")} closeLabel={t("close")}>
      <PictureUpload onChoose={onChoose} />
      <Pictures onChoose={onChoose} />
    </Dialog>
  );
}

function PictureUpload({ onChoose }: { onChoose: (picture: Picture) => void }) {
  const t = useTranslations("console.posts");
  const hint = useTranslations("console.editor")("picture.hint");
  const { upload, pending, refusal } = usePictureUpload(onChoose);
  return (
    <Field label={t("upload_picture")} hint={pending ? t("loading") : hint} error={refusal}>
      {(control) => (
        <input
          {...control}
          type="file"
          accept={UPLOAD_TYPES.join()}
          className="control h-auto py-2"
          onChange={(event) => void upload(event.target.files?.[0])}
        />
      )}
    </Field>
  );
}

function Pictures({ onChoose }: { onChoose: (picture: Picture) => void }) {
  const t = useTranslations("console.posts");
  const network = useTranslations("errors")("network");
  const { result } = useRequest(
    useCallback(() => api.get("/admin/images", {}, { networkMessage: network }), [network]),
  );
  if (!result) return <p role="status">{t("loading")}</p>;
  if (!result.ok) return <ErrorNotice>{result.message}</ErrorNotice>;
  if (result.data.items.length === 0) return <p>{t("no_pictures")}</p>;
  return (
    <ul className="grid max-h-[60vh] grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-2 overflow-y-auto p-1">
      {result.data.items.map((picture) => (
        <li key={picture.hash}>
          <button
            type="button"
            onClick={() => onChoose(picture)}
            className="flex w-full cursor-pointer flex-col gap-1 rounded-control border border-hairline p-1.5 text-left hover:border-ink"
          >
            <PictureImage hash={picture.hash} />
            <span className="text-13 wrap-anywhere">{picture.used_by}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A stored picture with its description beside it. */
export const PictureImage = ({ hash }: { hash: string }) => (
  <Emblem src={postPictureSource(hash)} size={80} className="size-20 object-contain" />
);
