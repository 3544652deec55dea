// The small parts of every page that load after the first paint, in one file because each file costs a request.
export { ToastRegion } from '#web/ui/overlay/toast-region.tsx';
export { ThemeMenu } from '#web/ui/page/theme-menu.tsx';
export { ThemeSwitch } from '#web/ui/page/theme-switch.tsx';
export { Live } from '../live/live.tsx';
export { OfflineHint } from './offline-hint.tsx';
