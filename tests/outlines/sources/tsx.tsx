import React from "react";

interface Props {
  name: string;
}

export const Label = ({ name }: Props) => {
  return <b>{name}</b>;
};

export default function App(): JSX.Element {
  return <Label name="x" />;
}
