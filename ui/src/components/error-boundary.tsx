import { Component, type ReactNode } from "react";

interface ErrorBoundaryProps {
  fallback: (message: string, retry: () => void) => ReactNode;
  children: ReactNode;
}

/** Keeps a failure in one pane from taking the window with it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { message: string | null }> {
  override state = { message: null };

  static getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    const { message } = this.state;
    return message === null
      ? this.props.children
      : this.props.fallback(message, () => this.setState({ message: null }));
  }
}
