// The parameters of a stack as text, and what they say of one way of working.
#pragma once

#include <string>
#include <string_view>

#include "collectives/stack/stack.h"
#include "scenarios/scenario.h"

namespace tahoma {

/// "yes or no", "a time such as 1.5us (...)", ...
std::string accepted_text(const StackFigure& figure);

/// Throws BadText.
void read_figure(const StackFigure& figure, std::string_view text, StackFigures& into);

/// What the table and the user, who has the last word, say of a way.
StackFigures figures_of(const StackCase& of, const StackWork& work, const StackPlatform& platform);

StackPlatform platform_of(const Scenario& scenario, const StackWork& work);

}  // namespace tahoma
