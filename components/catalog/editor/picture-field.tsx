import { useTranslations } from "next-intl";
import { useId } from "react";
import { useImagePath } from "@/components/catalog/editor/audience";
import { Button } from "@/components/ui/button";
import { Emblem } from "@/components/ui/emblem";
import { FieldError } from "@/components/ui/field";
import { Spinner } from "@/components/ui/spinner";
import { UPLOAD_TYPES } from "@/lib/catalog/images/rules";
import { storedPictureHash } from "@/lib/catalog/import/rules-line";
import { usePictureUpload } from "./use-picture-upload";

/** The picture of a product: uploaded immediately, and attached when the product is saved. */
export function PictureField({
  image,
  problem,
  onChange,
}: {
  image: string;
  problem: string | undefined;
  onChange: (image: string) => void;
}) {
  const t = useTranslations("console.editor");
  const id = useId();
  const imagePath = useImagePath();
  const { upload, pending, refusal } = usePictureUpload((stored) => onChange(stored.image));
  const hash = image === "" ? null : storedPictureHash(image);

  const error = refusal || problem;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {t("field.image")}
      </label>
      <div className="flex flex-wrap items-center gap-4">
        {hash ? (
          <Emblem key={hash} src={imagePath(hash)} size={96} />
        ) : (
          <span className="grid size-24 place-items-center rounded-control border border-dashed border-control text-13 text-quiet">
            {t("picture.none")}
          </span>
        )}
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <span className="flex items-center gap-2">
            <input
              id={id}
              type="file"
              accept={UPLOAD_TYPES.join()}
              aria-describedby={`${id}-hint${error ? ` ${id}-error` : ""}`}
              aria-invalid={error ? true : undefined}
              onChange={(event) => {
                void upload(event.target.files?.[0]);
                event.target.value = "";
              }}
              className="min-h-11 w-full max-w-80 cursor-pointer text-13 file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-control file:border file:border-control file:bg-raised file:px-3"
            />
            {pending && <Spinner />}
          </span>
          <p id={`${id}-hint`} className="text-13 text-quiet">
            {t("picture.hint")}
          </p>
          {hash && (
            <div>
              <Button look="quiet" onClick={() => onChange("")}>
                {t("picture.remove")}
              </Button>
            </div>
          )}
        </div>
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}
