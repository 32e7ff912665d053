/** Scraping the operator's metrics and looking at them. Way in: {@link OperatorServiceMonitor}. */
export { GrafanaDashboard, type GrafanaDashboardProps } from './grafana-dashboard.js';
export { OperatorServiceMonitor, type OperatorServiceMonitorProps } from './operator-service-monitor.js';
