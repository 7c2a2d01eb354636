"""Pydantic AI: an agent with a `FunctionModel`."""

from pydantic_ai import Agent
from pydantic_ai.messages import BinaryContent, ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from scenario import TASK, Model, play

from readwell import Reader
from readwell.adapters.pydantic_ai import tools


def agent(reader: Reader, model: Model) -> Agent:
    def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        last = messages[-1].parts[-1]
        asked = model.next(*heard(last) if isinstance(last, ToolReturnPart) else ())
        return ModelResponse([TextPart(asked) if isinstance(asked, str) else ToolCallPart("read", asked)])

    return Agent(FunctionModel(answer), tools=tools(reader))


def heard(part: ToolReturnPart) -> tuple[str, bool, bytes]:
    images = [each.data for each in part.files if isinstance(each, BinaryContent)]
    text = part.content[0] if images else part.content
    return text, part.outcome != "success", images[0] if images else b""


def run(reader: Reader, model: Model) -> None:
    agent(reader, model).run_sync(TASK)


async def arun(reader: Reader, model: Model) -> None:
    await agent(reader, model).run(TASK)


if __name__ == "__main__":
    play(run, arun)
