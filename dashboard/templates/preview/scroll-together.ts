import styles from './preview.module.css';
/** Returns a scroll listener for views with pages. It scrolls the others in `root` to the same page. */
export function scrollTogether(): (event: Event & { readonly currentTarget: HTMLElement }) => void {
  /** Positions set by the listener. Their events arrive later and must not move the first view. */
  const set = new WeakMap<Element, number>();
  return ({ currentTarget: root, target }) => {
    if (!(target instanceof HTMLElement) || set.get(target) === target.scrollTop) return;
    for (const other of root.querySelectorAll<HTMLElement>(`.${styles.scroll}`)) {
      if (other === target) continue;
      other.scrollTop = positionLike(target, other);
      other.scrollLeft = target.scrollLeft;
      set.set(other, other.scrollTop);
    }
  };
}

/** Returns the position that shows the same part of the same page. The pages may differ in size. */
function positionLike({ children, scrollTop }: HTMLElement, other: HTMLElement): number {
  const pages = Array.from(children) as HTMLElement[];
  const index = Math.max(
    pages.findLastIndex(({ offsetTop }) => offsetTop <= scrollTop),
    0,
  );
  const [page, otherPage] = [pages[index], other.children[index] as HTMLElement | undefined];
  if (!page || !otherPage) return other.scrollHeight;
  const part = (scrollTop - page.offsetTop) / page.offsetHeight;
  return otherPage.offsetTop + part * otherPage.offsetHeight;
}
