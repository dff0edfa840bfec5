export type ClothName = "cotton" | "silk" | "cashmere";

/** Fills its positioned parent with cloth. */
export function Cloth({ name }: { name: ClothName }) {
  return (
    <span aria-hidden="true" className={`cloth cloth-${name}`}>
      {name === "silk" && <span className="sheen absolute -inset-x-[12%] inset-y-0 block" />}
    </span>
  );
}
